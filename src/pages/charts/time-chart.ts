import { type ScaleLinear, type ScaleTime, scaleLinear, scaleUtc } from "d3-scale";
import { area, line } from "d3-shape";
import type { ChartBand, ChartLine, TimeChart } from "../../catalog/chart.ts";
import { type Html, html } from "../html.ts";
import { sayKnown, type Words } from "../words.ts";
import { type ChartView, type Picture, round } from "./svg.ts";
import { countDecimals, showTicks, showValue } from "./text.ts";

const SIZES = {
  wide: { width: 760, height: 280, ticks_x: 6, ticks_y: 5 },
  narrow: { width: 340, height: 240, ticks_x: 3, ticks_y: 4 },
} as const;
const TOP_PX = 8;
const RIGHT_PX = 14;
const AXIS_PX = 24;
const LETTER_PX = 7;
/** Points farther apart than this number of steps are not joined. */
const JOINED_STEPS = 1.5;
const BANDS_TOLD_MAX = 12;

/** Height of the lanes under the plot, one per tone, so that a band is known by position and not only by colour. */
const LANE_PX = 6;
export const LANES: readonly ChartBand["tone"][] = ["good", "neutral", "bad"];

/** A percent sign is nearly twice as wide as a digit. */
const measure = (text: string): number => (text.length + (text.endsWith("%") ? 0.8 : 0)) * LETTER_PX;

interface Point {
  readonly at_ms: number;
  readonly value: number | null;
}

interface Frame {
  readonly x: ScaleTime<number, number>;
  readonly y: ScaleLinear<number, number>;
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
}

const isKnown = (point: Point): point is Point & { readonly value: number } => point.value !== null;
const toPoints = ({ points }: ChartLine): readonly Point[] => points.map(([at_ms, value]) => ({ at_ms, value }));

/** Leaves a gap between neighbours that are too far apart for a known line between them. */
function withGaps(points: readonly Point[], step_ms: number): readonly Point[] {
  return points.flatMap((point, index): Point[] => {
    const before = points[index - 1];
    const is_far = before !== undefined && point.at_ms - before.at_ms > JOINED_STEPS * step_ms;
    return is_far ? [{ at_ms: before.at_ms + step_ms, value: null }, point] : [point];
  });
}

/** The range of some numbers, widened if all are equal. */
function spanOf(values: readonly number[], around: number): readonly [number, number] {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return low < high ? [low, high] : [low - around, high + around];
}

function createFrame(
  chart: TimeChart,
  lines: readonly (readonly Point[])[],
  view: ChartView,
): Frame & { labels: Html } {
  const { size, words } = view;
  const { width, height, ticks_x, ticks_y } = SIZES[size];
  const known = lines.flatMap((points) => points.filter(isKnown));
  const values = known.map(({ value }) => value);
  const lanes_px = chart.bands ? LANES.length * LANE_PX + 6 : 0;
  const bottom = height - AXIS_PX - lanes_px;
  const y = scaleLinear()
    .domain(spanOf(chart.filled ? [...values, 0] : values, Math.max(1, Math.abs(values[0] ?? 0) * 0.05)))
    .nice(ticks_y)
    .range([bottom, TOP_PX]);
  const ticks = y.ticks(ticks_y);
  const decimals = countDecimals((ticks[1] ?? 1) - (ticks[0] ?? 0));
  const texts = ticks.map((tick) => showValue(tick, { unit: chart.unit, decimals }, words));
  const left = Math.ceil(Math.max(...texts.map(measure)) + 10);
  const right = width - RIGHT_PX;
  const x = scaleUtc()
    .domain(
      spanOf(
        known.map(({ at_ms }) => at_ms),
        chart.step_ms,
      ),
    )
    .range([left, right]);
  const times = x.ticks(ticks_x);
  const names = showTicks(times, words);
  const labels = html`<g class="grid">${ticks.map(
    (tick) => html`<path d="M${left},${round(y(tick))}H${right}"/>`,
  )}</g><g class="side">${ticks.map(
    (tick, index) => html`<text x="${left - 8}" y="${round(y(tick))}">${texts[index]}</text>`,
  )}</g><g>${times.map((time, index) => renderTime(names[index] ?? "", x(time), { left, right, height }))}</g>`;
  return { x, y, left, right, bottom, labels };
}

/** Keeps the labels at both ends inside the picture. */
function renderTime(name: string, x: number, { left, right, height }: { left: number; right: number; height: number }) {
  const half = (name.length * LETTER_PX) / 2;
  const inside = Math.min(right + RIGHT_PX - half, Math.max(left, x));
  return html`<text x="${round(inside)}" y="${height - 9}">${name}</text>`;
}

/** The visible part of a period: at least a pixel wide, and cut at the edges of the plot. */
function placeBand({ x, left, right }: Frame, { from_ms, to_ms }: ChartBand): { x: number; width: number } | null {
  const [from, to] = [Math.max(left, x(from_ms)), Math.min(right, x(to_ms))];
  return to < from ? null : { x: round(from), width: Math.max(1, round(to - from)) };
}

function renderBands(frame: Frame, bands: readonly ChartBand[], words: Words): Html {
  return html`<g class="bands">${bands.map((band) => {
    const place = placeBand(frame, band);
    if (!place) return "";
    const lane = frame.bottom + 6 + LANES.indexOf(band.tone) * LANE_PX;
    const name = sayKnown(band.name, words);
    const fits = place.width > name.length * LETTER_PX + 8;
    return html`<rect class="tint ${band.tone}" x="${place.x}" y="${TOP_PX}" width="${place.width}"
height="${frame.bottom - TOP_PX}"/><rect class="lane ${band.tone}" x="${place.x}" y="${lane}" width="${place.width}"
height="${LANE_PX - 1}"/>${
      fits ? html`<text x="${round(place.x + place.width / 2)}" y="${TOP_PX + 12}">${name}</text>` : ""
    }`;
  })}</g>`;
}

function renderLines({ x, y }: Frame, lines: readonly (readonly Point[])[], is_filled: boolean): Html {
  const across = (point: Point) => round(x(point.at_ms));
  const up = ({ value }: Point) => round(y(value ?? 0));
  const toPath = line<Point>().defined(isKnown).x(across).y(up);
  const toArea = area<Point>()
    .defined(isKnown)
    .x(across)
    .y0(round(y(0)))
    .y1(up);
  const [first = []] = lines;
  return html`${is_filled ? html`<path class="fill" d="${toArea([...first])}"/>` : ""}<g class="lines">${lines
    .map((points, index) => html`<path class="l${index}" d="${toPath([...points])}"/>`)
    .reverse()}</g>`;
}

function tell({ title, unit, lines, bands }: TimeChart, words: Words): string {
  const { say, day } = words;
  const show = (value: number): string => showValue(value, { unit }, words);
  const told = lines.map((one) => {
    const known = toPoints(one).filter(isKnown);
    const [first, last] = [known[0], known.at(-1)];
    const name = sayKnown(one.name, words);
    if (!first || !last) return say("{0}: nothing known", name);
    const values = known.map(({ value }) => value);
    const ends = say("{0} on {1}, {2} on {3}", show(first.value), day(first.at_ms), show(last.value), day(last.at_ms));
    return `${name}: ${ends}, ${say("lowest {0}, highest {1}", show(Math.min(...values)), show(Math.max(...values)))}`;
  });
  const stretches = (bands ?? []).map(({ name, from_ms, to_ms }) =>
    say("{0} {1} to {2}", sayKnown(name, words), day(from_ms), day(to_ms)),
  );
  const left_out = stretches.length - BANDS_TOLD_MAX;
  const before = left_out > 0 ? `${say("{0} earlier ones", left_out)}, ` : "";
  const states =
    stretches.length > 0 ? ` ${say("States")}: ${before}${stretches.slice(-BANDS_TOLD_MAX).join(", ")}.` : "";
  return `${sayKnown(title, words)}. ${told.join(". ")}.${states}`;
}

/** Lines over time; null if no line has any value. */
export function drawTimeChart(chart: TimeChart, view: ChartView): Picture | null {
  const lines = chart.lines.map((one) => withGaps(toPoints(one), chart.step_ms));
  if (!lines.some((points) => points.some(isKnown))) return null;
  const { labels, ...frame } = createFrame(chart, lines, view);
  const { width, height } = SIZES[view.size];
  const bands = chart.bands ? renderBands(frame, chart.bands, view.words) : "";
  const content = html`${bands}${labels}${renderLines(frame, lines, chart.filled === true)}`;
  return { width, height, title: sayKnown(chart.title, view.words), told: tell(chart, view.words), content };
}
