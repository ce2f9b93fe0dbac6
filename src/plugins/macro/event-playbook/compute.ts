import { type Computed, type Draft, missing, NodeError, renderTime } from "intel-node";
import { getWilsonInterval } from "intel-node/quant/intervals";
import {
  adjustBenjaminiHochberg,
  describeSample,
  type SampleMoments,
  testMean,
  testWelchOf,
} from "intel-node/quant/mean-tests";
import { mean, median, sampleStandardDeviation } from "simple-statistics";
import { type EventId, getEvent, getEventKind } from "./events.ts";
import type { EventPlaybookInputs, StudiedSeries } from "./fetch.ts";
import { estimateNext } from "./next-event.ts";
import type { EventPlaybookData, PlaybookWindow } from "./schema.ts";
import {
  lengthOf,
  listBaseline,
  listMoves,
  locateEvents,
  type StudyObservation,
  WINDOWS,
  type WindowId,
} from "./study.ts";

const WINDOW_IDS = Object.keys(WINDOWS) as WindowId[];
/** Fewer events say nothing of a mean; fewer still are not shown, and an edge takes more. */
const N = { t: 8, asset: 12, edge: 20 };
const EDGE = { p_adj: 0.1, vol_ratio: 1.25, welch_p: 0.05 };
const MEAN_OF = 50;
const EVENTS_SHOWN = { summary: 4, full: 12 };

type Values = readonly number[];
const meanAbs = (values: Values): number => mean(values.map(Math.abs));

/** What ordinary times of a length were like. */
interface Baseline {
  readonly n: number;
  readonly mean: number | null;
  readonly mean_abs: number | null;
  /** Of the sizes of the moves; null with fewer than two. */
  readonly sizes: SampleMoments | null;
}

function describeBaseline(values: Values): Baseline {
  const n = values.length;
  if (n === 0) return { n, mean: null, mean_abs: null, sizes: null };
  const sizes = values.map(Math.abs);
  return { n, mean: mean([...values]), mean_abs: mean(sizes), sizes: describeSample(sizes) };
}

function describeWindow(window: WindowId, values: Values, baseline: Baseline): Omit<PlaybookWindow, "p_adj" | "edge"> {
  const test = values.length >= N.t ? testMean(values) : null;
  const hits = values.filter((value) => value > 0).length;
  const wilson = getWilsonInterval(hits, values.length);
  const ordinary = baseline.mean_abs;
  const welch = values.length >= N.t ? testWelchOf(describeSample(values.map(Math.abs)), baseline.sizes) : null;
  return {
    window,
    n: values.length,
    mean: mean([...values]),
    median: median([...values]),
    sd: values.length > 1 ? sampleStandardDeviation([...values]) : null,
    t: test?.t ?? null,
    p: test?.p ?? null,
    hit_rate: hits / values.length,
    wilson_low: wilson?.low ?? 0,
    wilson_high: wilson?.high ?? 1,
    min: Math.min(...values),
    max: Math.max(...values),
    mean_abs: meanAbs(values),
    baseline_n: baseline.n,
    baseline_mean: baseline.mean,
    baseline_mean_abs: ordinary,
    vol_ratio: ordinary !== null && ordinary > 0 ? meanAbs(values) / ordinary : null,
    welch_p: welch?.p ?? null,
  };
}

/** What the numbers support: a direction, only more movement, or nothing. */
export function labelEdge(row: Omit<PlaybookWindow, "edge">): PlaybookWindow["edge"] {
  const has_direction = row.p_adj !== null && row.p_adj < EDGE.p_adj && row.n >= N.edge;
  if (has_direction && row.mean > 0 && row.wilson_low > 0.5) return "up";
  if (has_direction && row.mean < 0 && row.wilson_high < 0.5) return "down";
  const is_wild = row.vol_ratio !== null && row.vol_ratio >= EDGE.vol_ratio;
  return is_wild && row.welch_p !== null && row.welch_p < EDGE.welch_p ? "volatile" : "none";
}

interface Studied {
  readonly series: StudiedSeries;
  readonly places: readonly (number | null)[];
  /** Moves of d0, by the place of their event in the list. */
  readonly d0: ReadonlyMap<number, number>;
  readonly windows: readonly Omit<PlaybookWindow, "p_adj" | "edge">[];
}

/** Only what was observed by now: a later value changes nothing. They are in order of time: most lists end by now. */
const known = (points: readonly StudyObservation[], now_ms: number): readonly StudyObservation[] =>
  (points.at(-1)?.at_ms ?? 0) <= now_ms ? points : points.filter(({ at_ms }) => at_ms <= now_ms);

function studySeries(series: StudiedSeries, events_ms: readonly number[]): Studied | null {
  const places = locateEvents(series.points, events_ms);
  // Windows of one length have the same ordinary times: there are two pairs of them.
  const baselines = new Map<number, Baseline>();
  const baselineOf = (length: number): Baseline => {
    const made =
      baselines.get(length) ?? describeBaseline(listBaseline(series.points, places, { length, move: series.move }));
    baselines.set(length, made);
    return made;
  };
  const windows = WINDOW_IDS.flatMap((window) => {
    const values = listMoves(series.points, places, { window, move: series.move }).map(({ value }) => value);
    return values.length < N.asset ? [] : [describeWindow(window, values, baselineOf(lengthOf(window)))];
  });
  if (windows.length === 0) return null;
  const d0 = listMoves(series.points, places, { window: "d0", move: series.move });
  return { series, places, d0: new Map(d0.map(({ event, value }) => [event, value])), windows };
}

/** Whether a value was above the mean of the 50 up to it; null with fewer. */
function conditionAt(points: readonly StudyObservation[], index: number): "above_50" | "below_50" | null {
  if (index + 1 < MEAN_OF) return null;
  const recent = points.slice(index + 1 - MEAN_OF, index + 1).map(({ value }) => value);
  return (points[index]?.value ?? 0) > mean(recent) ? "above_50" : "below_50";
}

type Conditional = NonNullable<EventPlaybookData["conditional"]>[number];

function listConditional({ series, places, d0 }: Studied): readonly Conditional[] {
  const moves = [...d0].map(([event, value]) => {
    const place = places[event] ?? null;
    return { value, stood: place === null ? null : conditionAt(series.points, place - 1) };
  });
  return (["above_50", "below_50"] as const).flatMap((condition) => {
    const values = moves.filter(({ stood }) => stood === condition).map(({ value }) => value);
    if (values.length < N.t) return [];
    const hits = values.filter((value) => value > 0).length;
    const wilson = getWilsonInterval(hits, values.length);
    const interval = { wilson_low: wilson?.low ?? 0, wilson_high: wilson?.high ?? 1 };
    const numbers = { n: values.length, mean: mean(values), hit_rate: hits / values.length, ...interval };
    return [{ asset: series.id, window: "d0" as const, condition, ...numbers, t: testMean(values)?.t ?? null }];
  });
}

const WORDS = {
  up: "rose more often than chance explains",
  down: "fell more often than chance explains",
  volatile: "moved more than on ordinary days, without a direction",
  none: "shows no edge: what it did is within chance",
} as const;

interface PlaybookOptions {
  readonly event: EventId;
  readonly now_ms: number;
  readonly detail?: "summary" | "full";
}

/** Moves around all known events of a kind. @throws NodeError when fewer than two instruments saw 12 of them. */
export function computeEventPlaybook(
  inputs: EventPlaybookInputs,
  { event, now_ms, detail = "full" }: PlaybookOptions,
): Computed<Draft<EventPlaybookData>> {
  const { excluded } = getEvent(event);
  const { title, zone, time } = getEventKind(event);
  const past = inputs.events.filter(({ at_ms }) => at_ms < now_ms);
  const studied = inputs.series.flatMap((series) => {
    const seen = { ...series, points: known(series.points, now_ms) };
    return (
      studySeries(
        seen,
        past.map(({ at_ms }) => at_ms),
      ) ?? []
    );
  });
  if (studied.length < 2) {
    const known_days = `${past.length} past days of it are known`;
    const message = `Fewer than two instruments have seen 12 of these events; ${known_days}. Nothing was charged.`;
    throw new NodeError("upstream_unavailable", message, { retry_after_s: 3_600 });
  }
  const rows = studied.flatMap(({ windows }) => windows);
  const tested = rows.filter(({ p }) => p !== null);
  const adjusted = adjustBenjaminiHochberg(tested.map(({ p }) => p ?? 1));
  const p_adj = new Map(tested.map((row, index) => [row, adjusted[index] ?? null]));
  const assets = studied.map(({ series, windows }) => ({
    id: series.id,
    title: series.title,
    provider: series.provider,
    is_proxy: series.is_proxy,
    unit: series.move === "log" ? ("percent" as const) : ("basis points" as const),
    last_observation: series.last_day,
    windows: windows.map((window) => {
      const row = { ...window, p_adj: p_adj.get(window) ?? null };
      return { ...row, edge: labelEdge(row) };
    }),
  }));
  const warnings = [...inputs.warnings];
  const whole = detail === "full";
  const next = estimateNext(event, inputs.events, now_ms);
  if (next?.status === "estimated")
    warnings.push(`events: what is known of them ends on ${past.at(-1)?.date}; later ones are no sample`);
  for (const { series } of studied)
    if (series.is_proxy) warnings.push(`assets: ${series.id} is a proxy, ${series.title}`);
  return {
    as_of_ms: Math.max(...studied.map(({ series }) => series.points.at(-1)?.at_ms ?? 0)),
    warnings,
    data: {
      event,
      title,
      release_time_local: time,
      zone,
      n_events: past.length,
      first: past[0]?.date ?? "",
      last: past.at(-1)?.date ?? "",
      excluded: [...excluded],
      next_occurrence: next
        ? { time_utc: renderTime(next.at_ms), hours_until: (next.at_ms - now_ms) / 3_600_000, status: next.status }
        : missing("none is known"),
      assets: whole ? assets : assets.map(withD0),
      conditional: whole
        ? studied.flatMap(listConditional)
        : missing("it comes with detail=full, as the other windows and events do"),
      current_conditions: Object.fromEntries(
        studied.flatMap(({ series }) => {
          const now = conditionAt(series.points, series.points.length - 1);
          return now ? [[series.id, now]] : [];
        }),
      ),
      playbook: assets.flatMap(sayD0),
      events: past.slice(-EVENTS_SHOWN[detail]).map(({ date }) => ({ date, moves: movesOn(studied, past, date) })),
    },
  };
}

type Asset = EventPlaybookData["assets"][number];
const withD0 = (asset: Asset): Asset => ({
  ...asset,
  windows: asset.windows.filter(({ window }) => window === "d0"),
});

/** What an instrument's d0 supports, in words. */
function sayD0({ id, windows }: Asset): EventPlaybookData["playbook"] {
  const row = windows.find(({ window }) => window === "d0");
  if (!row) return [];
  const { n, edge, vol_ratio, p_adj } = row;
  return [{ asset: id, label: edge, n, p_adj, vol_ratio, statement: `${id} ${WORDS[edge]}.` }];
}

function movesOn(studied: readonly Studied[], past: readonly { readonly date: string }[], date: string) {
  const event = past.findIndex((one) => one.date === date);
  return Object.fromEntries(
    studied.flatMap(({ series, d0 }) => {
      const value = d0.get(event);
      return value === undefined ? [] : [[series.id, value]];
    }),
  );
}
