/**
 * Functions of pages beyond links, for browsers that run script: search while typing, and links that open their target
 * if it is folded.
 */
(() => {
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const field = document.getElementById("q");
  const rows = all("[data-row]");
  const count = document.getElementById("found");
  /** Hides rows that do not match, and groups without a matching row. */
  const keep = (passes) => {
    let found = 0;
    for (const row of rows) {
      row.hidden = !passes(row);
      if (!row.hidden) found += 1;
    }
    for (const group of all("[data-group]")) {
      group.hidden = !group.querySelector("[data-row]:not([hidden])");
      // A folded list opens during a search.
      group.open = field.value.trim() !== "";
    }
    if (!count) return;
    const { none = "Nothing matches.", some = "{0} of {1}" } = count.dataset;
    const told = found === 0 ? none : some.replace("{0}", found).replace("{1}", rows.length);
    count.textContent = field.value.trim() === "" ? "" : told;
  };
  /** Keeps the search in the address. Its beginning adds a step to the history; further typing changes that step. */
  const remember = (text) => {
    const url = new URL(location.href);
    const had = url.searchParams.has("q");
    if (text === "") url.searchParams.delete("q");
    else url.searchParams.set("q", text);
    if (url.href === location.href) return;
    if (had) history.replaceState(null, "", url);
    else history.pushState(null, "", url);
  };
  /** A link to the product that answers best; nothing without a result. */
  const [best] = all("[data-best]");
  const nameBest = (path) => {
    if (!best) return;
    const link = rows.find((row) => row.dataset.row === path)?.querySelector("a");
    best.hidden = !link;
    for (const list of all(".best-for")) list.hidden = field.value.trim() !== "";
    if (link) best.replaceChildren(`${best.dataset.best}: `, link.cloneNode(true));
  };
  /** Queries the catalog's index, as the form would. */
  let asked = 0;
  const search = async () => {
    const text = field.value.trim();
    asked += 1;
    const mine = asked;
    remember(text);
    nameBest();
    if (text === "") return keep(() => true);
    try {
      const response = await fetch(`/?q=${encodeURIComponent(text)}`, { headers: { accept: "application/json" } });
      const { products } = await response.json();
      const paths = new Set(products.map(({ path }) => path));
      if (mine !== asked) return;
      keep((row) => paths.has(row.dataset.row));
      nameBest(products[0]?.path);
    } catch {
      // The list stays unchanged, and the button still searches.
    }
  };
  // A page of results has no other rows, so a new search there goes through the form.
  if (field && field.defaultValue === "") {
    field.addEventListener("input", search);
    field.form.addEventListener("submit", (event) => event.preventDefault());
    addEventListener("popstate", () => {
      field.value = new URL(location.href).searchParams.get("q") ?? "";
      return search();
    });
    // If a browser restores the typed words, the list shows their matches.
    if (field.value !== "") search();
  }
  /** Ages grow from those in the page, because the reader's clock may be wrong. */
  const UNITS = [
    [120, 1, "s"],
    [7_200, 60, "min"],
    [172_800, 3_600, "h"],
    [Infinity, 86_400, "d"],
  ];
  const showAge = (seconds) => {
    const [, unit_s, unit] = UNITS.find(([up_to_s]) => seconds < up_to_s);
    return `${Math.round(seconds / unit_s)} ${unit}`;
  };
  const ages = all("time[datetime]").filter((time) => time.dateTime.startsWith("PT"));
  const tick = () => {
    const passed_s = performance.now() / 1_000;
    for (const age of ages) {
      const grown = showAge(Number.parseInt(age.dateTime.slice(2), 10) + passed_s);
      const told = (age.dataset.age ?? "{0}").replace("{0}", grown);
      if (age.textContent !== told) age.textContent = told;
    }
  };
  if (ages.length > 0) setInterval(tick, 1_000);
  /** Adds a copy button to every block of code. It lies over its block, so that nothing moves. */
  const { copy, copied } = document.body.dataset;
  const addCopy = (code) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = copy;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = copied;
      setTimeout(() => {
        button.textContent = copy;
      }, 2_000);
    });
    code.parentElement.before(button);
  };
  if (copy && window.navigator?.clipboard) for (const code of all("pre > code")) addCopy(code);
  /** Lays out in idle moments, part by part, what the first layout left out, for readers who save or print the page. */
  const late = all("main > section, main > .pair, main > .three, .part");
  const whenIdle = window.requestIdleCallback ?? setTimeout;
  const layOut = () => {
    const part = late.shift();
    if (!part) return;
    part.style.contentVisibility = "visible";
    whenIdle(layOut);
  };
  addEventListener("load", () => whenIdle(layOut));
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
