/** A product's form: the call is made in place, and what came back is shown as it came. Text only, never markup. */
(() => {
  const CHARS_MAX = 20_000;
  const make = (name, text) => {
    const node = document.createElement(name);
    node.textContent = text;
    return node;
  };
  const readFields = (form) => {
    const fields = {};
    for (const field of form.querySelectorAll("input, select")) {
      if (field.value === "") continue;
      fields[field.name] = field.type === "number" ? Number(field.value) : field.value;
    }
    return fields;
  };
  /** A preview is a GET or a POST like the call it stands for. */
  const request = (form, is_preview) => {
    const fields = readFields(form);
    const headers = { accept: "application/json" };
    if (form.dataset.method === "POST") {
      headers["content-type"] = "application/json";
      const url = form.getAttribute("action") + (is_preview ? "?preview=1" : "");
      return [url, { method: "POST", headers, body: JSON.stringify(fields) }];
    }
    const query = new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, String(value)]));
    if (is_preview) query.set("preview", "1");
    const text = query.toString();
    return [form.getAttribute("action") + (text === "" ? "" : `?${text}`), { headers }];
  };
  const pretty = (text) => {
    try {
      return JSON.stringify(JSON.parse(text), null, 2);
    } catch {
      return text;
    }
  };
  for (const form of document.querySelectorAll("[data-play]")) {
    const box = form.parentElement.querySelector("[data-answer]");
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const is_preview = !event.submitter?.hasAttribute("data-price");
      const [url, options] = request(form, is_preview);
      box.hidden = false;
      box.replaceChildren(make("p", "…"));
      try {
        const response = await fetch(url, options);
        const shown = pretty(await response.text());
        const pre = make("pre", "");
        pre.append(make("code", shown.slice(0, CHARS_MAX) + (shown.length > CHARS_MAX ? "\n…" : "")));
        pre.tabIndex = 0;
        const line = `${options.method ?? "GET"} ${url} → ${response.status} ${response.statusText}`;
        box.replaceChildren(make("p", line), pre);
      } catch (error) {
        box.replaceChildren(make("p", error instanceof Error ? error.message : String(error)));
      }
    });
  }
})();
