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
    for (const group of all("[data-group]")) group.hidden = !group.querySelector("[data-row]:not([hidden])");
    if (!count) return;
    const { none = "Nothing matches.", some = "{0} of {1}" } = count.dataset;
    const told = found === 0 ? none : some.replace("{0}", found).replace("{1}", rows.length);
    count.textContent = field.value.trim() === "" ? "" : told;
  };
  /** Asks the index of the catalog, as the form would. */
  let asked = 0;
  const search = async () => {
    const text = field.value.trim();
    asked += 1;
    const mine = asked;
    if (text === "") return keep(() => true);
    try {
      const response = await fetch(`/?q=${encodeURIComponent(text)}`, { headers: { accept: "application/json" } });
      const { products } = await response.json();
      const paths = new Set(products.map(({ path }) => path));
      if (mine === asked) keep((row) => paths.has(row.dataset.row));
    } catch {
      // The list stays as it is: the button still searches.
    }
  };
  if (field) {
    field.addEventListener("input", search);
    field.form.addEventListener("submit", (event) => event.preventDefault());
  }
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
