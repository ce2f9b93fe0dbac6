import type { SurfaceModel } from "../../surfaces/types.ts";
import { type Html, html } from "../html.ts";
import { renderPage } from "../layout.ts";
import { renderAge, renderMoment } from "../parts.ts";
import { type HealthFacts, renderHealth } from "../status.ts";
import { listWants } from "../wants.ts";
import { inLanguage, type Phrase, type Words } from "../words.ts";
import { renderDays } from "./days.ts";
import { FEED_PATH } from "./feed.ts";
import { type Incident, type StatusPast, sumCounts } from "./samples.ts";
import { renderSubscribe } from "./subscribe.ts";
import { renderProductDays, renderSourceDays, renderWithheld, type StatusLists } from "./tables.ts";

export interface StatusPageOptions {
  readonly model: SurfaceModel;
  readonly health: HealthFacts;
  readonly past: StatusPast;
  readonly lists: StatusLists;
  /** Chart of the latency. */
  readonly latency: Html | "";
  readonly now_ms: number;
  readonly words: Words;
}

const INCIDENTS_SHOWN = 30;
const GAPS: readonly Phrase[] = [
  "Bars are days.",
  "A dashed bar was not sampled: the node was off, or younger.",
  "It counts neither as up nor as down.",
];

/** `/status`: the state of the node now and on each of 90 days, from samples taken every five minutes. */
export function renderStatusPage(options: StatusPageOptions): string {
  const { model, health, words } = options;
  const { days, uptime, incidents, calls } = options.past;
  const { say, number } = words;
  const { answered, failed } = sumCounts(calls.values());
  const percent = (share: number | null) => (share === null ? "–" : words.percent(share * 100, 3));
  const sampled = days.reduce((sum, day) => sum + day.sampled, 0) / days.length;
  const title = say("Status");
  const description = say("How this node is and was: uptime, latency, failures and incidents of 90 days.");
  const shown: readonly (readonly [string, string])[] = [
    [say("up, of what was sampled"), percent(uptime)],
    [say("of 90 days sampled"), percent(sampled)],
    [say("paid calls answered"), number(answered)],
    [say("failed, none charged"), number(failed)],
  ];
  const body = html`<div class="hero"><h1><span class="dot${health.ok ? "" : " bad"}"></span>${
    health.ok ? say("Up") : say("Failing")
  }</h1><p class="lead">${description}</p>
<dl class="facts num">${shown.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl></div>
<section aria-labelledby="days"><h2 id="days">${say("90 days")}</h2>${renderDays(days, words)}
<p class="soft small">${GAPS.map((one) => say(one)).join(" ")}</p>${options.latency}</section>
${renderGroups(options)}
${renderProductDays(model, options.past.products, options)}
${renderSourceDays(options.past.sources, options)}
${renderWithheld(options.lists, words)}
<div class="pair">${renderIncidents(incidents, words)}${renderHealth(model, health, words)}</div>
${renderSubscribe(model, words)}`;
  const feed = { path: FEED_PATH, title: say("Incidents") };
  return renderPage({ model, title, description, path: "/status", body, words, feed });
}

function renderGroups({ model, past, lists: { answered_ms }, now_ms, words }: StatusPageOptions): Html {
  const { say, number } = words;
  const rows = listWants(model.products).map(({ title, products }) => {
    const newest_ms = Math.max(...products.map(({ id }) => answered_ms.get(id) ?? 0));
    return {
      title,
      ...sumCounts(products.flatMap(({ id }) => past.calls.get(id) ?? [])),
      age: newest_ms === 0 ? "–" : renderAge((now_ms - newest_ms) / 1_000),
    };
  });
  return html`<section aria-labelledby="groups"><h2 id="groups">${say("By kind of product")}</h2>
<div class="scroll" tabindex="0" role="group" aria-label="${say("By kind of product")}">
<table class="num tight"><thead><tr><th
scope="col">${say("Products")}</th><th scope="col">${say("answered")}</th><th scope="col">${say(
    "failed, uncharged",
  )}</th><th scope="col">${say("Last live answer")}</th></tr></thead><tbody>${rows.map(
    ({ title, answered, failed, age }) =>
      html`<tr><td>${inLanguage(title, words)}</td><td>${number(answered)}</td><td>${number(failed)}</td><td
class="soft">${age}</td></tr>`,
  )}</tbody></table></div></section>`;
}

function renderIncidents(incidents: readonly Incident[], words: Words): Html {
  const { say } = words;
  return html`<section aria-labelledby="incidents"><h2 id="incidents">${say("Incidents")}</h2>
${
  incidents.length === 0
    ? html`<p class="soft">${say("none")}</p>`
    : html`<ul class="list num">${incidents.slice(0, INCIDENTS_SHOWN).map(
        ({ state, from_ms, to_ms, reasons }) => html`<li id="${from_ms}"><span><span class="dot bad"></span>${say(
          state === "failing" ? "Failing" : "Degraded",
        )}</span><span class="soft">${renderMoment(from_ms, words)} – ${
          to_ms === null ? "?" : renderMoment(to_ms, words)
        }</span><span
class="sub">${inLanguage(reasons.join("; "), words)}</span></li>`,
      )}</ul>`
}</section>`;
}
