import type { Chart, TimeChart } from "../../catalog/chart.ts";
import type { Source } from "../../catalog/context.ts";
import type { ChartSample } from "../../catalog/previews.ts";
import { type Html, html, renderHtml } from "../html.ts";
import { fillPlaces, listWords, renderMoment, renderMore, renderPreviewOf, showDelay } from "../parts.ts";
import { ENGLISH, inLanguage, type Words } from "../words.ts";
import { drawBars } from "./bars.ts";
import { drawHeatMap } from "./heat-map.ts";
import { type ChartView, type Picture, renderSVG } from "./svg.ts";
import { drawTimeChart, LANES } from "./time-chart.ts";

export interface ChartFigureOptions {
  readonly sample: ChartSample;
  readonly sandbox: boolean;
  /** Least age of data that is shown for free, seconds. */
  readonly preview_delay_s: number;
  readonly words?: Words;
}

const SOURCES_SHOWN_MAX = 6;

function draw(chart: Chart, view: ChartView): Picture | null {
  switch (chart.kind) {
    case "heat_map":
      return drawHeatMap(chart, view);
    case "bars":
      return drawBars(chart, view);
    case "time":
      return drawTimeChart(chart, view);
    default:
      return chart satisfies never;
  }
}

/** The key of lines and colours; a single line needs none. */
function renderKeys({ lines, bands }: TimeChart, words: Words): Html {
  const tones = new Map((bands ?? []).map(({ name, tone }) => [name, tone]));
  if (lines.length === 1 && tones.size === 0) return html``;
  return html`<ul class="keys">${lines.map(
    ({ name }, index) =>
      html`<li><svg class="key" width="22" height="10" aria-hidden="true"><g class="lines"><path class="l${index}"
d="M1,5H21"/></g></svg>${inLanguage(name, words)}</li>`,
  )}${LANES.flatMap((lane) => [...tones].filter(([, tone]) => tone === lane)).map(
    ([name, tone]) =>
      html`<li><svg class="key" width="12" height="10" aria-hidden="true"><rect class="lane ${tone}" y="1" width="12"
height="8"/></svg>${inLanguage(name, words)}</li>`,
  )}</ul>`;
}

/** One chart with its key and its limits; nothing if it has no values. */
export function renderChart(chart: Chart, id: string, words: Words): Html {
  const [wide, narrow] = [draw(chart, { size: "wide", words }), draw(chart, { size: "narrow", words })];
  if (!wide || !narrow) return html``;
  return html`<figure class="chart"><h3>${inLanguage(chart.title, words)}</h3>
${renderSVG(wide, { id: `${id}-w`, size: "wide" })}
${renderSVG(narrow, { id: `${id}-n`, size: "narrow" })}${chart.kind === "time" ? renderKeys(chart, words) : ""}
<figcaption>${inLanguage(chart.about, words)}</figcaption></figure>`;
}

/** The sources of the data, with the notices that their terms require. */
function renderSources(sources: readonly Source[], words: Words): Html {
  const { say } = words;
  const used = sources.filter(({ ok }) => ok);
  const names = [...new Set(used.map(({ provider }) => provider))];
  if (names.length === 0) return html``;
  const more = names.length - SOURCES_SHOWN_MAX;
  const shown = more > 0 ? [...names.slice(0, SOURCES_SHOWN_MAX), say("{0} more", more)] : names;
  const credits = new Map(
    used.flatMap(({ attribution }) => (attribution ? [[attribution.url, attribution.text]] : [])),
  );
  return html` ${say("Data: {0}.", listWords(shown, say("and")))}${[...credits].map(([url, text]) =>
    url.startsWith("https://") ? html` <a href="${url}">${text}</a>.` : html` ${text}.`,
  )}`;
}

/** The charts of one product, with time and sources of their data; "" if no chart has a value. */
export function renderCharts({ sample, sandbox, preview_delay_s, words = ENGLISH }: ChartFigureOptions): Html | "" {
  const { charts, as_of_ms, sources, preview_of } = sample;
  if (charts.every((chart) => draw(chart, { size: "narrow", words }) === null)) return "";
  const { say } = words;
  const delay = showDelay(preview_delay_s, words);
  const late = preview_delay_s > 0 ? ` ${say("What is shown free is at least {0} old.", delay)}` : "";
  const said = say(sandbox ? "Sandbox: simulated data, as of {0}." : "As of {0}.");
  const when = fillPlaces(said, renderMoment(as_of_ms, words));
  const figures = charts
    .map((chart, index) => renderChart(chart, `chart-${index}`, words))
    .filter((figure) => renderHtml(figure) !== "");
  // A chart fills half of a phone's screen, so only the first one is open there.
  const others = figures.slice(1);
  return html`<section aria-labelledby="charts"><details class="fold" open><summary><h2 id="charts">${say(
    charts.length === 1 ? "Chart" : "Charts",
  )}</h2></summary>
<p class="soft small">${renderPreviewOf(preview_of, words)}${when}${late}${renderSources(sources, words)}</p>
${figures[0] ?? ""}${
  others.length === 0 ? "" : renderMore(say("{0} more", others.length), html`${others}`)
}</details></section>`;
}
