/** Reads a product's form into the call it makes. */

/** The value of a field for a list or an object. Text that is not JSON is sent as typed; the node reports the fault. */
const parseField = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** Values of the filled fields: numbers as numbers, lists and objects as such. */
export const readFields = (form) => {
  const { lang } = form.dataset;
  const fields = lang ? { lang } : {};
  for (const field of form.querySelectorAll("input, select")) {
    if (field.value === "") continue;
    const is_json = field.hasAttribute("data-json");
    fields[field.name] =
      field.type === "number" ? Number(field.value) : is_json ? parseField(field.value) : field.value;
  }
  return fields;
};

const renderValue = (value) => (typeof value === "object" ? JSON.stringify(value) : String(value));

/** Address and options for fetch. A preview is a GET or a POST, as its paid call is. */
export const readCall = (form, is_preview) => {
  const fields = readFields(form);
  const headers = { accept: "application/json" };
  if (form.dataset.method === "POST") {
    headers["content-type"] = "application/json";
    const url = form.getAttribute("action") + (is_preview ? "?preview=1" : "");
    return [url, { method: "POST", headers, body: JSON.stringify(fields) }];
  }
  const query = new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, renderValue(value)]));
  if (is_preview) query.set("preview", "1");
  const text = query.toString();
  return [form.getAttribute("action") + (text === "" ? "" : `?${text}`), { method: "GET", headers }];
};

const CHARS_MAX = 20_000;

/** An element with a text. Data is always set as text, never as markup. */
export const make = (name, text) => {
  const node = document.createElement(name);
  node.textContent = text;
  return node;
};

/** The raw answer with JSON indented, cut if it would be too large for the page. */
export const makeAnswer = (text) => {
  let shown = text;
  try {
    shown = JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // Text that is not JSON is shown unchanged.
  }
  const pre = make("pre", "");
  pre.append(make("code", shown.slice(0, CHARS_MAX) + (shown.length > CHARS_MAX ? "\n…" : "")));
  pre.tabIndex = 0;
  return pre;
};
