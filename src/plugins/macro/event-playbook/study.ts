/** One daily value with the moment it was observed. */
export interface StudyObservation {
  readonly at_ms: number;
  readonly value: number;
}

export type MarketMove = "log" | "bp";

/** From which observation to which, counted from i, the first one after the event: 0 is i. */
export const WINDOWS = {
  pre5: [-6, -1],
  pre1: [-2, -1],
  d0: [-1, 0],
  d3: [-1, 2],
  d5: [-1, 4],
} as const;
export type WindowId = keyof typeof WINDOWS;

/** The observation before an event has to be this near to it. */
const BEFORE_MAX_MS = 4 * 86_400_000;

/** The change between two observations: percent (log return x 100), or basis points of a yield in percent. */
function moveBetween(from: number, to: number, move: MarketMove): number {
  return move === "log" ? Math.log(to / from) * 100 : (to - from) * 100;
}

/**
 * The place of the first observation after each event; null where the one before is too far back, or no one follows.
 * An observation at the same moment was made without the news: it counts as before.
 */
export function locateEvents(
  series: readonly StudyObservation[],
  events_ms: readonly number[],
): readonly (number | null)[] {
  return events_ms.map((event_ms) => {
    let [low, high] = [0, series.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((series[middle]?.at_ms ?? 0) > event_ms) high = middle;
      else low = middle + 1;
    }
    const before = series[low - 1];
    return low < series.length && before && event_ms - before.at_ms <= BEFORE_MAX_MS ? low : null;
  });
}

/** The moves of one window at the events whose whole window is there, with the place of each event in the list. */
export function listMoves(
  series: readonly StudyObservation[],
  places: readonly (number | null)[],
  { window, move }: { readonly window: WindowId; readonly move: MarketMove },
): readonly { readonly event: number; readonly value: number }[] {
  const [from, to] = WINDOWS[window];
  return places.flatMap((place, event) => {
    const [start, end] = place === null ? [] : [series[place + from], series[place + to]];
    return start && end ? [{ event, value: moveBetween(start.value, end.value, move) }] : [];
  });
}

/** Observations from the start of a window to its end. */
export const lengthOf = (window: WindowId): number => WINDOWS[window][1] - WINDOWS[window][0];

/**
 * Ordinary times: windows of a length, one after the other, with no event inside, from the first event to the last
 * known one. Days after that can hold events that are not listed yet.
 */
export function listBaseline(
  series: readonly StudyObservation[],
  places: readonly (number | null)[],
  { length, move }: { readonly length: number; readonly move: MarketMove },
): readonly number[] {
  const known = places.filter((place) => place !== null);
  const is_event = new Uint8Array(series.length);
  for (const place of known) is_event[place] = 1;
  const first = Math.max(0, Math.min(...known) - 6);
  const last = Math.min(series.length - 1, Math.max(...known) + 4);
  const values: number[] = [];
  let start = first;
  while (start + length <= last) {
    let event_at = -1;
    for (let step = 1; step <= length; step += 1) if (is_event[start + step] === 1) event_at = start + step;
    if (event_at >= 0) {
      start = event_at;
      continue;
    }
    const [a, b] = [series[start], series[start + length]];
    if (a && b) values.push(moveBetween(a.value, b.value, move));
    start += length;
  }
  return values;
}
