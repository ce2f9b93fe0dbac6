import type { Chart, TimeChart } from "../../catalog/chart.ts";
import type { SurfaceModel } from "../../surfaces/types.ts";
import { type Html, html } from "../html.ts";
import { renderPage } from "../layout.ts";
import { renderSparkline } from "../sparkline.ts";
import type { GradedSignal } from "../track/evidence.ts";
import { rateHits } from "../track/evidence.ts";
import { renderCalibration, renderHistogram } from "../track/pictures.ts";
import { renderDays } from "../uptime/days.ts";
import type { Words } from "../words.ts";
import { renderChart } from "./figures.ts";

const DAY_MS = 86_400_000;
const FROM_MS = Date.UTC(2026, 0, 1);
const DAYS = 120;

/** A wave with a drift: the same on every machine. */
const wave = (index: number): number => 100 + index / 4 + 12 * Math.sin(index / 6) + 4 * Math.cos(index / 2);
type Point = [number, number | null];
const pointsOf = (read: (index: number) => number | null, count = DAYS): Point[] =>
  Array.from({ length: count }, (_, index): Point => [FROM_MS + index * DAY_MS, read(index)]);

const time = (title: string, about: string, changes: Partial<TimeChart>): TimeChart => ({
  kind: "time",
  title,
  about,
  unit: "usd",
  step_ms: DAY_MS,
  lines: [{ name: "line", points: pointsOf(wave) }],
  ...changes,
});
const oneLine = (read: (index: number) => number | null, count = DAYS): Pick<TimeChart, "lines"> => ({
  lines: [{ name: "line", points: pointsOf(read, count) }],
});

const SIDES = ["good", "neutral", "bad"] as const;
const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `COIN${index + 1}`);
const cells = (count: number, read: (row: number, column: number) => number | null) =>
  names(count).map((_, row) => names(count).map((__, column) => (row === column ? 1 : read(row, column))));

/** Every kind of chart, with typical data and with data that breaks careless drawing. */
export const GALLERY: readonly Chart[] = [
  time("Typical", "One line, dollars, a few months.", {}),
  time("Four lines", "Told apart by their strokes, too.", {
    lines: [0, 1, 2, 3].map((line) => ({
      name: `line ${line + 1}`,
      points: pointsOf((index) => wave(index) + 9 * line),
    })),
  }),
  time("Bands", "States below the line, each tone in a lane of its own.", {
    bands: [0, 1, 2, 3, 4, 5].map((band) => ({
      name: ["bull", "chop", "bear"][band % 3] ?? "",
      tone: SIDES[band % 3] ?? "neutral",
      from_ms: FROM_MS + band * 20 * DAY_MS,
      to_ms: FROM_MS + (band + 1) * 20 * DAY_MS,
    })),
  }),
  time("Negative, filled", "From zero down as well as up.", {
    ...oneLine((index) => 20 * Math.sin(index / 9)),
    unit: "percent",
    filled: true,
  }),
  time(
    "Gaps",
    "Nothing is drawn where nothing is known.",
    oneLine((index) => (index % 40 < 25 ? wave(index) : null)),
  ),
  time(
    "A single point",
    "The span around it is made up, the point is not.",
    oneLine(() => 42, 1),
  ),
  time(
    "Constant",
    "A flat line, away from the edge.",
    oneLine(() => 0),
  ),
  time("Very small", "Places that tell neighbours apart.", {
    ...oneLine((index) => wave(index) / 1e9),
    unit: "number",
  }),
  time(
    "Very large",
    "Labels that do not push the picture out.",
    oneLine((index) => wave(index) * 1e10),
  ),
  time("A thousand points", "As many as a line may have.", oneLine(wave, 1_000)),
  time(
    "Empty",
    "There is no picture without a value.",
    oneLine(() => null),
  ),
  {
    kind: "heat_map",
    title: "Heat map",
    about: "All shades, and a value that is unknown.",
    labels: names(6),
    cells: cells(6, (row, column) => (row + column === 5 ? null : ((row * 7 + column * 3) % 21) / 10 - 1)),
  },
  {
    kind: "heat_map",
    title: "Heat map of twenty",
    about: "On a phone the shades are told apart, and the numbers left out.",
    labels: names(20),
    cells: cells(20, (row, column) => Math.sin(row * column)),
  },
  {
    kind: "bars",
    title: "Bars",
    about: "Amounts of things, in the order given.",
    unit: "usd",
    bars: [52_000, 4_100, 33, 0].map((value, index) => ({ name: `step ${index + 1}`, value })),
  },
  {
    kind: "bars",
    title: "Bars below 0",
    about: "They end at the line that the others start from.",
    unit: "percent",
    bars: [12.5, -0.01, -40, 3, 0].map((value, index) => ({ name: `COIN${index + 1}`, value })),
  },
  { kind: "heat_map", title: "Heat map of one", about: "A single cell.", labels: ["BTC"], cells: [[1]] },
];

const signal = (index: number): GradedSignal => {
  const net_bps = Math.round(900 * Math.sin(index * 1.7));
  return {
    seq: index + 1,
    symbol: "BTC",
    side: "long",
    horizon_h: 24,
    confidence: (index * 13) % 100,
    exit_ms: FROM_MS + index * DAY_MS,
    net_bps,
    long_net_bps: -net_bps,
    hit: net_bps > 0,
  };
};

function renderOthers(words: Words): Html {
  const graded = Array.from({ length: 60 }, (_, index) => signal(index));
  const rates = [20, 40, 60].map((low) => rateHits(`${low}-${low + 19}`, graded.slice(low - 20, low)));
  const days = Array.from({ length: 90 }, (_, index) => ({
    day_ms: FROM_MS + index * DAY_MS,
    sampled: index % 17 === 0 ? 0 : 1,
    latency_ms: null,
    answered: 0,
    failed: 0,
    up: index % 17 === 0 ? null : index % 11 === 0 ? 0.8 : 1,
  }));
  return html`<div class="pair"><section><h2>Calibration</h2>${renderCalibration(rates, words)}
<p class="small soft">None:</p>${renderCalibration([], words)}</section>
<section><h2>Histogram</h2>${renderHistogram(graded, words)}
<p class="small soft">None:</p>${renderHistogram([], words)}
</section></div>
<section><h2>Days</h2>${renderDays(days, words)}</section>
<section><h2>Sparklines</h2><p>${renderSparkline(pointsOf(wave).map(([, value]) => value ?? 0))}
${renderSparkline([3, -2, 1])} ${renderSparkline([1, 1])} ${renderSparkline([1])}</p></section>`;
}

/** A page for inspection by eye, served only in the sandbox and only in English. */
export function renderGallery(model: SurfaceModel, words: Words): string {
  const body = html`<div class="hero"><h1>Charts</h1><p class="lead">Every kind of picture, with data that breaks it.
${String(GALLERY.length)} charts, then the rest.</p></div>
${GALLERY.map((chart, index) => renderChart(chart, `gallery-${index}`, words))}${renderOthers(words)}`;
  return renderPage({ model, title: "Charts", description: "Every kind of chart.", path: null, body, words });
}
