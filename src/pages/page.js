/**
 * What pages can do beyond links, for browsers that run it: search while typing, and a link that opens what it leads
 * to.
 */
(() => {
  document.documentElement.classList.add("js");
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const field = document.getElementById("q");
  const rows = all("[data-row]");
  const count = document.getElementById("found");
  /** Rows that pass stay; groups without one go. */
  const keep = (passes) => {
    let found = 0;
    for (const row of rows) {
      row.hidden = !passes(row);
      if (!row.hidden) found += 1;
    }
    for (const group of all("[data-group]")) {
      group.hidden = !group.querySelector("[data-row]:not([hidden])");
      // A list that is folded opens while it is searched.
      group.open = field.value.trim() !== "";
    }
    if (!count) return;
    const { none = "Nothing matches.", some = "{0} of {1}" } = count.dataset;
    const told = found === 0 ? none : some.replace("{0}", found).replace("{1}", rows.length);
    count.textContent = field.value.trim() === "" ? "" : told;
  };
  /** Keeps what is searched for in the address: a step of its own when a search begins, the same one while it goes on. */
  const remember = (text) => {
    const url = new URL(location.href);
    const had = url.searchParams.has("q");
    if (text === "") url.searchParams.delete("q");
    else url.searchParams.set("q", text);
    if (url.href === location.href) return;
    if (had) history.replaceState(null, "", url);
    else history.pushState(null, "", url);
  };
  /** The product that answers best, as a link; nothing for a text that finds none. */
  const [best] = all("[data-best]");
  const nameBest = (path) => {
    if (!best) return;
    const link = rows.find((row) => row.dataset.row === path)?.querySelector("a");
    best.hidden = !link;
    for (const list of all(".best-for")) list.hidden = field.value.trim() !== "";
    if (link) best.replaceChildren(`${best.dataset.best}: `, link.cloneNode(true));
  };
  /** Asks the index of the catalog, as the form would. */
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
      // The list stays as it is: the button still searches.
    }
  };
  // A page of what was found holds nothing else: there the form asks anew.
  if (field && field.defaultValue === "") {
    field.addEventListener("input", search);
    field.form.addEventListener("submit", (event) => event.preventDefault());
    addEventListener("popstate", () => {
      field.value = new URL(location.href).searchParams.get("q") ?? "";
      return search();
    });
    // A browser that fills in again what was typed shows what belongs to it.
    if (field.value !== "") search();
  }
  /** Moments are told in the reader's zone too, and ages grow from what the page says: his clock may be another. */
  const { lang } = document.documentElement;
  const dayOf = (at) => new Intl.DateTimeFormat(lang, { day: "2-digit", month: "2-digit" }).format(at);
  const showHere = (time) => {
    const at = new Date(time.dateTime);
    if (Number.isNaN(at.getTime()) || at.getTimezoneOffset() === 0) return;
    const here = at.toLocaleTimeString(lang, { hour: "2-digit", minute: "2-digit", timeZoneName: "short" });
    const is_same_day = at.getDate() === at.getUTCDate();
    time.append(` (${is_same_day ? "" : `${dayOf(at)} `}${here})`);
  };
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
  const times = all("time[datetime]");
  const ages = times.filter((time) => time.dateTime.startsWith("PT"));
  for (const time of times) if (!ages.includes(time)) showHere(time);
  const tick = () => {
    const passed_s = performance.now() / 1_000;
    for (const age of ages) {
      const grown = showAge(Number.parseInt(age.dateTime.slice(2), 10) + passed_s);
      const told = (age.dataset.age ?? "{0}").replace("{0}", grown);
      if (age.textContent !== told) age.textContent = told;
    }
  };
  if (ages.length > 0) setInterval(tick, 1_000);
  /** A button on every block of code that puts it on the clipboard; it lies over its block, so nothing moves. */
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
  /** What the first layout left out follows in idle moments, a part at a time: for who saves or prints all of it. */
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
