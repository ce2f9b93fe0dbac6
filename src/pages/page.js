/**
 * What pages can do beyond links, for browsers that run it: search while typing, previews in place. Everything from
 * the node is set as text, never as markup; lists and depth are limited.
 */
(() => {
  document.documentElement.classList.add("js");
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const make = (name, text, kind) => {
    const node = document.createElement(name);
    if (text !== undefined) node.textContent = text;
    if (kind) node.className = kind;
    return node;
  };
  const field = document.getElementById("q");
  const rows = all("[data-row]").map((row) => ({ row, text: row.textContent.toLowerCase() }));
  const count = document.getElementById("found");
  /** Rows that pass stay; groups without one go. */
  const keep = (passes) => {
    let found = 0;
    for (const one of rows) {
      one.row.hidden = !passes(one);
      if (!one.row.hidden) found += 1;
    }
    for (const group of all("[data-group]")) group.hidden = !group.querySelector("[data-row]:not([hidden])");
    if (!count) return;
    const { none = "Nothing matches.", some = "{0} of {1}" } = count.dataset;
    const told = found === 0 ? none : some.replace("{0}", found).replace("{1}", rows.length);
    count.textContent = field.value.trim() === "" ? "" : told;
  };
  /** The reference searches its own text; the first page asks the index of the catalog, as the form would. */
  let asked = 0;
  const search = async () => {
    const text = field.value.trim();
    asked += 1;
    const mine = asked;
    if (text === "") return keep(() => true);
    if (!("index" in field.dataset)) {
      const words = text.toLowerCase().split(/\s+/);
      return keep((one) => words.every((word) => one.text.includes(word)));
    }
    try {
      const response = await fetch(`/?q=${encodeURIComponent(text)}`, { headers: { accept: "application/json" } });
      const { products } = await response.json();
      const paths = new Set(products.map(({ path }) => path));
      if (mine === asked) keep(({ row }) => paths.has(row.dataset.row));
    } catch {
      // The list stays as it is: the button still searches.
    }
  };
  if (field) {
    field.addEventListener("input", search);
    field.form.addEventListener("submit", (event) => event.preventDefault());
    if (field.value !== "" && !("index" in field.dataset)) search();
  }
  const plain = (value) => value === null || typeof value !== "object";
  const write = (value) =>
    value === null || value === undefined
      ? "\u2013"
      : typeof value !== "number"
        ? String(value)
        : value.toLocaleString(
            "en-US",
            Number.isInteger(value)
              ? {}
              : Math.abs(value) < 1
                ? { maximumSignificantDigits: 4 }
                : { maximumFractionDigits: 4 },
          );
  const label = (name) => name.replaceAll("_", " ");
  const table = (items) => {
    const names = Object.keys(items[0])
      .filter((name) => items.every((one) => plain(one[name])))
      .slice(0, 6);
    const box = make("div", undefined, "scroll"),
      grid = make("table"),
      head = make("tr"),
      body = make("tbody"),
      top = make("thead");
    box.tabIndex = 0;
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", "Table");
    for (const name of names) {
      const cell = make("th", label(name));
      cell.scope = "col";
      head.append(cell);
    }
    for (const one of items.slice(0, 12)) {
      const row = make("tr");
      for (const name of names) row.append(make("td", write(one[name])));
      body.append(row);
    }
    top.append(head);
    grid.append(top, body);
    box.append(grid);
    if (items.length > 12) box.append(make("p", `${items.length - 12} more`, "soft small"));
    return box;
  };
  const show = (value, depth) => {
    if (plain(value)) return document.createTextNode(write(value));
    if (Array.isArray(value)) {
      if (value.length > 0 && value.every((one) => !plain(one) && !Array.isArray(one))) return table(value);
      if (value.every(plain)) {
        const more = value.length > 12 ? `, and ${value.length - 12} more` : "";
        return document.createTextNode(value.length === 0 ? "none" : value.slice(0, 12).map(write).join(", ") + more);
      }
      return document.createTextNode(`${value.length} entries`);
    }
    if (depth > 3) return document.createTextNode("\u2026");
    const list = make("dl");
    for (const [name, one] of Object.entries(value).slice(0, 40)) {
      const told = make("dd");
      told.append(show(one, depth + 1));
      list.append(make("dt", label(name)), told);
    }
    return list;
  };
  const ago = (seconds) =>
    seconds < 120
      ? `${seconds} s`
      : seconds < 7200
        ? `${Math.round(seconds / 60)} min`
        : `${Math.round(seconds / 3600)} h`;
  const fill = async (panel, url) => {
    panel.replaceChildren(make("p", "Loading\u2026"));
    try {
      const response = await fetch(url, { headers: { accept: "application/json" } });
      const body = await response.json();
      if (!response.ok) throw new Error(body.detail || "No preview now.");
      const about = make("p"),
        raw = make("a", "JSON");
      raw.href = url;
      const old = body.delayed && body.age_seconds !== undefined ? `Delayed ${ago(body.age_seconds)} \u00b7 ` : "";
      const time = body.as_of.replace("T", " ").replace(/(\.\d+)?Z$/, " UTC");
      about.append(`${(body.sandbox ? "Simulated \u00b7 " : "") + old}as of ${time} \u00b7 `, raw);
      panel.replaceChildren(about, show(body.data, 0));
    } catch (error) {
      panel.replaceChildren(make("p", error instanceof Error ? error.message : "No preview now."));
    }
  };
  let made = 0;
  for (const link of all("a[data-preview]")) {
    link.setAttribute("aria-expanded", "false");
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      const host = link.closest("[data-host]");
      let panel = host.querySelector(".shown");
      if (!panel) {
        panel = make("div", undefined, "shown");
        made += 1;
        panel.id = `shown-${made}`;
        panel.hidden = true;
        panel.tabIndex = 0;
        for (const [name, value] of [
          ["role", "group"],
          ["aria-label", "Preview"],
          ["aria-live", "polite"],
        ]) {
          panel.setAttribute(name, value);
        }
        link.setAttribute("aria-controls", panel.id);
        host.append(panel);
      }
      panel.hidden = !panel.hidden;
      link.setAttribute("aria-expanded", String(!panel.hidden));
      if (!panel.hidden) fill(panel, link.href);
    });
  }
  const open = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const closed = target?.closest("details");
    if (closed) {
      closed.open = true;
      closed.scrollIntoView();
    }
  };
  addEventListener("hashchange", open);
  if (location.hash.length > 1) open();
})();
