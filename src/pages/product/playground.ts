import type { SurfaceProduct } from "../../surfaces/types.ts";
import { answerTextsOf, labelOf } from "../answer/answer-texts.ts";
import { describeLabel } from "../answer/describe.ts";
import { toHtml } from "../answer/to-html.ts";
import { renderAPIText } from "../api-texts.ts";
import { type Html, html, trusted } from "../html.ts";
import { isJson, type Json } from "../json.ts";
import { renderMore } from "../parts.ts";
import { list, text } from "../schema-table.ts";
import type { Words } from "../words.ts";

const OPTIONS_MAX = 300;

/** The allowed values of a parameter; null if any value is allowed. */
function choicesOf(schema: Json): readonly string[] | null {
  const named = Array.isArray(schema.enum)
    ? schema.enum
    : list(schema.anyOf).map((one) => (isJson(one) ? one.const : undefined));
  if (named.length === 0 || named.some((one) => one === undefined || typeof one === "object")) return null;
  return named.slice(0, OPTIONS_MAX).map(String);
}

function renderInput(name: string, schema: Json, given: string): Html {
  const choices = choicesOf(schema);
  if (choices) {
    const all = choices.includes(given) ? choices : ["", ...choices];
    return html`<select id="play-${name}" name="${name}">${all.map(
      (one) => html`<option${one === given ? trusted(" selected") : ""}>${one}</option>`,
    )}</select>`;
  }
  const type = schema.type === "integer" || schema.type === "number" ? "number" : "text";
  const step = schema.type === "number" ? trusted(' step="any"') : "";
  const is_json = schema.type === "array" || schema.type === "object";
  const json = is_json ? trusted(" data-json") : "";
  return html`<input id="play-${name}" name="${name}" type="${type}"${step}${json} value="${given}"
autocomplete="off">`;
}

/** A parameter's initial value: that of the kept preview, which the first button shows, else its default. */
function startValue(name: string, schema: Json, shown: Readonly<Record<string, unknown>>): string {
  const value = shown[name] ?? schema.default;
  if (value === undefined || value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

const nameMember = (name: string, { language }: Words): Html =>
  html`${describeLabel(labelOf(name, language)).map(toHtml)}`;

const FIELDS_MAX = 40;
/** Parameters visible on a phone without opening a fold. */
const FIELDS_SEEN = 3;

/** The wanted part of the answer: all of it, the short form, or members that are named or clicked. */
function renderView({ data, usual_view = "full" }: SurfaceProduct, words: Words): Html {
  const { say } = words;
  const names = Object.keys((data.properties ?? {}) as Readonly<Record<string, Json>>).slice(0, FIELDS_MAX);
  const other = usual_view === "full" ? "brief" : "full";
  const [usual, less] = usual_view === "full" ? [say("whole"), say("brief")] : [say("brief"), say("whole")];
  const chips = names.map(
    (name) => html`<button type="button" aria-pressed="false" data-field="${name}">${nameMember(name, words)}</button>`,
  );
  const members = html`<div class="all"><label for="play-fields" lang="en">fields</label><input id="play-fields"
name="fields" type="text" value="" autocomplete="off" data-fields><span class="soft small">${say(
    "Only these members; none means all.",
  )}</span>${renderMore(
    say("Members of the answer"),
    html`<p class="chips" role="group" aria-label="${say("Members of the answer")}">${chips}</p>`,
  )}</div>`;
  return html`<div><label for="play-view" lang="en">view</label><select id="play-view" name="view"><option
value="">${usual}</option><option value="${other}">${less}</option></select><span class="soft small">${say(
    "How much of the answer.",
  )}</span></div>${names.length === 0 ? "" : members}`;
}

/**
 * A form that makes a real call: the free preview, or the 402. Without script it opens the raw answer; with script it
 * shows the answer below, with its status.
 */
export function renderPlayground(product: SurfaceProduct, words: Words): Html {
  const { say } = words;
  const { path, method, params, previews_of, data, plan } = product;
  const fields = Object.entries(params.properties as Readonly<Record<string, Json>>);
  const render = ([name, schema]: (typeof fields)[number]): Html =>
    html`<div><label for="play-${name}">${name}</label>${renderInput(
      name,
      schema,
      startValue(name, schema, previews_of[0]),
    )}<span class="soft small">${renderAPIText(text(schema.description), words)}</span></div>`;
  const rest = fields.slice(FIELDS_SEEN);
  const view = plan === null ? renderView(product, words) : html``;
  const is_folded = rest.length > 0 || (plan === null && fields.length > 0);
  const further = html`<div class="play">${rest.map(render)}${view}</div>`;
  return html`<section aria-labelledby="play"><h2 id="play">${say("Try it")}</h2>
<form class="play" action="${path}" method="get" data-play data-method="${method}"${
    plan === null && words.language !== "en" ? trusted(' data-lang="pt"') : ""
  }>
${fields.slice(0, FIELDS_SEEN).map(render)}
${is_folded ? renderMore(say("More choices"), further) : view}
<p class="buttons"><button name="preview" value="1">${say("Free preview")}</button>
<button data-price>${say("See the 402")}</button></p></form>
<p class="told" role="status" data-told data-loading="${say("Loading …")}"></p>
<div class="answer" data-answer data-texts="${JSON.stringify(answerTextsOf(data, words))}" hidden tabindex="0"
role="group" aria-label="${say("Answer")}"></div></section>`;
}
