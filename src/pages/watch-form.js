/** "Watch this": builds the order from the form, and asks the node when it would have fired on free samples. */
import { make, readFields } from "./call-form.js";

const TIMES_SHOWN = 10;
const WAIT_MS = 500;
const COMPARED = ["<", "<=", ">", ">=", "==", "!="];
const OPS = {
  number: ["changed", ...COMPARED, "crossed", "crossed up", "crossed down"],
  string: ["changed", "==", "!="],
  boolean: ["changed", "==", "!="],
  list: ["new"],
};

const fill = (text, ...values) => text.replace(/\{(\d)\}/g, (_, index) => values[Number(index)]);
const readValue = (text, kind) => {
  if (kind === "number" && text.trim() !== "") return Number(text);
  return kind === "boolean" ? text === "true" : text;
};
const showTime = (text) => text.replace(/^(\S+)T(\d\d:\d\d).*$/, "$1 $2 UTC");

const readCondition = ({ field, op, value, by, for: lasting }) => {
  const chosen = field.selectedOptions[0];
  if (!chosen || chosen.value === "") return undefined;
  const { kind } = chosen.dataset;
  const [name, direction] = op.value.split(" ");
  const condition = { field: chosen.value, op: name };
  if (name === "new") condition.by = by.value;
  else if (name !== "changed") condition.value = readValue(value.value, kind);
  if (direction) condition.direction = direction;
  if (lasting.value !== "") condition.for = lasting.value;
  return condition;
};

/** The order to send, with the parameters of the call above. */
const readOrder = (form, product) => {
  const { elements } = form;
  const condition = readCondition(elements);
  const asked = document.querySelector("[data-play]");
  const { view, fields, ...params } = asked ? readFields(asked) : {};
  const order = { product };
  if (Object.keys(params).length > 0) order.params = params;
  if (view) order.view = view;
  if (fields) order.fields = fields;
  if (condition) order.condition = condition;
  if (elements.cron.value === "") order.every = elements.every.value;
  else {
    order.cron = elements.cron.value;
    if (elements.time_zone.value !== "") order.time_zone = elements.time_zone.value;
  }
  for (const name of ["until", "budget_usd", "webhook"]) {
    if (elements[name].value !== "") order[name] = elements[name].value;
  }
  return order;
};

const renderCurl = (url, order) =>
  `curl -sS "${url}/watch" -H "X-API-Key: $API_KEY" -H "Content-Type: application/json" \\\n  -d '${JSON.stringify(
    order,
    null,
    1,
  ).replaceAll("'", `'\\''`)}'`;

const makeOptions = (values) =>
  values.map((value) => {
    const option = make("option", String(value));
    option.value = String(value);
    return option;
  });

/** Offers only choices that fit the field. */
const fit = ({ field, op, value, by, for: lasting }) => {
  const { kind, choices = "[]", by: keys = "[]" } = field.selectedOptions[0]?.dataset ?? {};
  const had = op.value;
  const ops = OPS[kind] ?? [];
  op.replaceChildren(...makeOptions(ops));
  if (ops.includes(had)) op.value = had;
  by.replaceChildren(...makeOptions(JSON.parse(keys)));
  const values = kind === "boolean" ? [true, false] : JSON.parse(choices);
  document.querySelector("#watch-choices").replaceChildren(...makeOptions(values));
  const needs_value = kind !== "list" && op.value !== "changed" && op.value !== "";
  if (needs_value && values.length > 0 && !values.map(String).includes(value.value)) value.value = String(values[0]);
  for (const [control, is_used] of [
    [op, kind],
    [lasting, kind],
    [by, kind === "list"],
    [value, needs_value],
  ]) {
    control.closest("div").hidden = !is_used;
  }
};

const describe = ({ past, estimate }, texts) => {
  const lines = [
    past.samples === 0 ? texts.none : fill(texts.told, past.samples, showTime(past.from), showTime(past.to), past.told),
  ];
  if (past.without_value > 0) lines.push(fill(texts.unknown, past.without_value));
  lines.push(fill(texts.idle, showTime(estimate.until), estimate.evaluations, estimate.idle_usd));
  if (estimate.sum_usd !== null) lines.push(fill(texts.sum, estimate.sum_usd));
  if (estimate.budget_lasts === false) lines.push(texts.short);
  return lines.join(" ");
};

for (const form of document.querySelectorAll("[data-watch]")) {
  const { product, url } = JSON.parse(form.dataset.watch);
  const texts = JSON.parse(form.dataset.watchTexts);
  const [told, times, shown] = ["told", "times", "order"].map((name) =>
    form.parentElement.querySelector(`[data-watch-${name}]`),
  );
  let asking = new AbortController();
  let timer = 0;
  const show = () => {
    fit(form.elements);
    shown.textContent = renderCurl(url, readOrder(form, product));
  };
  const ask = async () => {
    clearTimeout(timer);
    asking.abort();
    asking = new AbortController();
    const { webhook: _, ...order } = readOrder(form, product);
    const headers = { "content-type": "application/json", accept: "application/json" };
    const init = { method: "POST", headers, body: JSON.stringify(order), signal: asking.signal };
    try {
      const response = await fetch("/watch/preview", init);
      const answer = await response.json();
      told.textContent = response.ok ? describe(answer, texts) : (answer.detail ?? answer.error ?? response.statusText);
      const at = response.ok ? [...answer.past.told_at].reverse() : [];
      const lines = at.slice(0, TIMES_SHOWN).map((text) => make("li", showTime(text)));
      if (at.length > TIMES_SHOWN) lines.push(make("li", fill(texts.more, answer.past.told - TIMES_SHOWN)));
      times.replaceChildren(...lines);
      times.hidden = lines.length === 0;
    } catch (error) {
      if (error?.name !== "AbortError") told.textContent = error instanceof Error ? error.message : String(error);
    }
  };
  form.hidden = false;
  show();
  form.addEventListener("input", () => {
    show();
    clearTimeout(timer);
    timer = setTimeout(ask, WAIT_MS);
  });
  document.querySelector("[data-play]")?.addEventListener("input", show);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void ask();
  });
}
