import { listWatchable, type WatchableField } from "../../catalog/schema-fields.ts";
import type { SurfaceModel, SurfaceProduct, WatchTerms } from "../../surfaces/types.ts";
import { type Html, html, trusted } from "../html.ts";
import { renderMore } from "../parts.ts";
import { showDollars, type Words } from "../words.ts";

/** The texts of the script, by its names for them. */
const textsOf = ({ say }: Words): Readonly<Record<string, string>> => ({
  told: say("In {0} free samples from {1} to {2} it would have told {3} times."),
  none: say("No free samples are kept of this question: what it would have told is not known."),
  unknown: say("{0} of them have no value there: samples may withhold it."),
  idle: say("Until {0} about {1} evaluations: {2} USD if none tells."),
  sum: say("As often as in the samples: {0} USD."),
  short: say("The budget ends before that."),
  more: say("and {0} earlier ones"),
});

/** The initial order: it reports when the first field changes. */
function sketchOrder(
  { path, previews_of }: SurfaceProduct,
  fields: readonly WatchableField[],
  terms: WatchTerms,
): object {
  const [params] = previews_of;
  const [field] = fields;
  return {
    product: path,
    ...(Object.keys(params).length === 0 ? {} : { params }),
    ...(field === undefined ? {} : { condition: sketchCondition(field) }),
    every: terms.every,
    budget_usd: terms.budget_usd,
  };
}

const sketchCondition = ({ path, kind, by }: WatchableField): object =>
  kind === "list" ? { field: path, op: "new", by: by[0] } : { field: path, op: "changed" };

/** A command that sends the order, with JSON in single quotes for a POSIX shell. */
const renderCurl = (url: string, order: object): string =>
  `curl -sS "${url}/watch" -H "X-API-Key: $API_KEY" -H "Content-Type: application/json" \\
  -d '${JSON.stringify(order, null, 1).replaceAll("'", `'\\''`)}'`;

/** The command that sets a first watch on a product; `more` are further members of the order. */
export function renderWatchCommand(url: string, product: SurfaceProduct, more: object = {}): string {
  const { watch } = product;
  const order = watch ? sketchOrder(product, listWatchable(product.data), watch) : { product: product.path };
  return renderCurl(url, { ...order, ...more });
}

function renderField({ path, kind, choices, by }: WatchableField, is_first: boolean): Html {
  const of_choices = choices === null ? "" : html` data-choices="${JSON.stringify(choices)}"`;
  const of_rows = by.length === 0 ? "" : html` data-by="${JSON.stringify(by)}"`;
  const selected = is_first ? trusted(" selected") : "";
  return html`<option value="${path}" data-kind="${kind}"${of_choices}${of_rows}${selected}>${path}</option>`;
}

const OPS = ["changed", "<", "<=", ">", ">=", "==", "!=", "crossed up", "crossed down", "crossed", "new"] as const;

function renderForm(fields: readonly WatchableField[], terms: WatchTerms, words: Words): Html {
  const { say } = words;
  return html`<div><label for="watch-field">${say("Field")}</label><select id="watch-field" name="field">${fields.map(
    (field, index) => renderField(field, index === 0),
  )}<option value="">${say("none: tell at each mark")}</option></select></div>
<div><label for="watch-op">${say("Tell when it")}</label><select id="watch-op" name="op">${OPS.map(
    (op) => html`<option>${op}</option>`,
  )}</select></div>
<div><label for="watch-value">${say("Value")}</label><input id="watch-value" name="value" list="watch-choices"
autocomplete="off"><datalist id="watch-choices"></datalist></div>
<div><label for="watch-by">${say("Rows are told apart by")}</label><select id="watch-by" name="by"></select></div>
<div><label for="watch-for">${say("Has to last")}</label><input id="watch-for" name="for" placeholder="3 of 5"
autocomplete="off"></div>
<div><label for="watch-every">${say("Every")}</label><input id="watch-every" name="every" value="${terms.every}"
autocomplete="off"></div>
<div><label for="watch-cron">${say("or by cron")}</label><input id="watch-cron" name="cron" placeholder="0 7 * * 1-5"
autocomplete="off"></div>
<div><label for="watch-zone">${say("Time zone")}</label><input id="watch-zone" name="time_zone"
placeholder="America/Sao_Paulo" autocomplete="off"></div>
<div><label for="watch-until">${say("Until")}</label><input id="watch-until" name="until" type="date"></div>
<div><label for="watch-budget">${say("Budget, USD")}</label><input id="watch-budget" name="budget_usd"
value="${terms.budget_usd}" inputmode="decimal" autocomplete="off"></div>
<div><label for="watch-hook">${say("Webhook")}</label><input id="watch-hook" name="webhook" type="url"
placeholder="https://" autocomplete="off"></div>
<p class="buttons"><button>${say("What would it have told?")}</button></p>`;
}

const renderGuideLink = ({ free }: SurfaceModel, { say }: Words): Html =>
  free.some(({ path }) => path === "/guide") ? html` <a href="/guide/watches">${say("How watches work")}</a>` : html``;

/**
 * The form that builds a watch from the fields of the product's answers, and shows when it would have fired on the free
 * samples. Without script it shows the order, to be changed by hand.
 */
export function renderWatchThis(model: SurfaceModel, product: SurfaceProduct, words: Words): Html {
  const { watch } = product;
  if (!watch) return html``;
  const { say } = words;
  const fields = listWatchable(product.data);
  const url = model.node.public_url;
  const build = html`<form class="play" data-watch="${JSON.stringify({
    product: product.path,
    url,
  })}" data-watch-texts="${JSON.stringify(textsOf(words))}" hidden>${renderForm(fields, watch, words)}</form>
<p class="told" role="status" data-watch-told></p><ul class="list num" data-watch-times hidden></ul>
<pre tabindex="0"><code data-watch-order>${renderWatchCommand(url, product)}</code></pre>`;
  return html`<section aria-labelledby="watch"><h2 id="watch">${say("Watch this")}</h2>
<p class="soft">${say(
    "The node asks again and tells your agent when it happens: {0} when it tells, {1} when it does not.",
    showDollars(product.price_usd, words),
    showDollars(watch.idle_usd, words),
  )}${renderGuideLink(model, words)}</p>
${renderMore(say("Choose field and condition"), build)}</section>`;
}
