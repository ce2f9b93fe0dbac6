import type { Static, TSchema } from "@sinclair/typebox";
import type { FetchContext } from "../../catalog/context.ts";
import { type Outcome, outcomeOf } from "../../catalog/failover.ts";
import type { ProviderDefinition } from "../../catalog/provider.ts";
import type { UpstreamRequest } from "../../catalog/request.ts";
import { UpstreamError } from "../../core/errors.ts";
import { isOfOlderBars, ShortHistoryError } from "../providers/bars.ts";
import { CANDLE_VENUES, LONG_CANDLE_VENUES } from "../providers/candle-venues.ts";
import {
  type BarReach,
  type BarSeries,
  citeBars,
  getBaseSymbol,
  type ReadBarsRequest,
  readBars,
} from "./bar-series.ts";

export interface FetchBarsRequest extends Pick<ReadBarsRequest, "symbol" | "interval"> {
  /** Lengths to try, longest first: a shorter window is used only if no venue has the longer one. */
  readonly counts: readonly number[];
  readonly reach: BarReach;
}

/** More days than the usual venues have. */
const USUAL_DAYS_MAX = 1_200;
/** While a buyer waits, a silent venue is soon abandoned for the next one. */
const REQUEST_TIMEOUT_MS = 2_500;
/** Products called on a node that has just started share what they fetch. */
const REQUEST_TTL_MS = 30_000;
const AT_ONCE_MAX = 10;
const READS_AT_ONCE = 8;

/** The failure of a venue. */
interface Refusal {
  readonly provider: ProviderDefinition;
  readonly count: number;
  readonly error: unknown;
}

/** Whether a shorter window would fail too: the venue does not know the coin, or lacks even the newest bar. */
const refusesAnyLength = (error: unknown): boolean =>
  error instanceof UpstreamError &&
  (error.kind === "upstream_bad_response" || error.kind === "upstream_not_found") &&
  !isOfOlderBars(error);

/**
 * Whether the bars do not exist, as opposed to a failure to read them: the first venue that knows the coin has fewer
 * bars, or no venue knows the coin.
 */
function isAbsent(refusals: readonly Refusal[], count_min: number): boolean {
  const last = refusals.filter(({ count }) => count === count_min).map(({ error }) => error);
  const isUnknown = (error: unknown): boolean =>
    error instanceof UpstreamError && error.kind === "upstream_not_found" && !(error instanceof ShortHistoryError);
  const decisive = last.find((error) => !isUnknown(error));
  return last.length > 0 && (decisive === undefined || decisive instanceof ShortHistoryError);
}

/** Whether these bars exist nowhere, so that a retry is useless. */
export const hasNoHistory = (error: unknown): boolean =>
  error instanceof UpstreamError && error.kind === "upstream_not_found";

/**
 * One series from the first venue that has all of it.
 * @throws UpstreamError upstream_not_found when the shortest one does not exist: see `hasNoHistory`.
 * @throws NodeError when it could not be read.
 */
export async function fetchBars(context: FetchContext, request: FetchBarsRequest): Promise<BarSeries> {
  const { symbol, interval, counts, reach } = request;
  const base = getBaseSymbol(symbol);
  const venues = reach === "long" ? LONG_CANDLE_VENUES : CANDLE_VENUES;
  const refusals: Refusal[] = [];
  const findFinal = (provider: ProviderDefinition): Refusal | undefined =>
    refusals.find((one) => one.provider === provider && refusesAnyLength(one.error));
  const attempts = counts.flatMap((count) =>
    venues
      .filter((venue) => venue.bars_max >= count && venue.intervals.includes(interval))
      .map((venue) => ({
        provider: venue.provider,
        run: async (): Promise<BarSeries> => {
          const { provider } = venue;
          const final = findFinal(provider);
          const asked = final ? Promise.reject(final.error) : venue.fetchBars(context, { base, interval, count });
          const bars = await asked.catch((error: unknown) => {
            refusals.push({ provider, count, error });
            throw error;
          });
          return { symbol, interval, provider: provider.id, fetched_at_ms: context.now_ms, bars };
        },
      })),
  );
  const what = `${interval} bars of ${symbol}`;
  const count_min = Math.min(...counts);
  return context.first(what, attempts).catch((error: unknown) => {
    if (!isAbsent(refusals, count_min)) throw error;
    throw new UpstreamError("upstream_not_found", "candles", `there are no ${count_min} ${what}`, { cause: error });
  });
}

/** The same context with shorter time limits, so that a waiting buyer does not wait for one venue only. */
const forRequest = (context: FetchContext): FetchContext => ({
  ...context,
  get: <S extends TSchema, T = Static<S>>(provider: ProviderDefinition, request: UpstreamRequest<S, T>) =>
    context.get(provider, {
      timeout_ms: REQUEST_TIMEOUT_MS,
      ...request,
      ttl_ms: Math.max(request.ttl_ms, REQUEST_TTL_MS),
    }),
});

/**
 * The newest closed bars: the stored ones, which are named as a source, else fetched now (on a node whose jobs have not
 * run yet). Fetched bars are not stored here, because that is the work of jobs.
 * @throws NodeError upstream_unavailable or upstream_bad_response when nobody has them.
 */
export async function loadBars(context: FetchContext, request: ReadBarsRequest): Promise<BarSeries> {
  const stored = await readBars(context, request);
  if (stored) {
    citeBars(context, [stored]);
    return stored;
  }
  const { symbol, interval, count, count_min = count } = request;
  const reach = interval === "1d" && count > USUAL_DAYS_MAX ? "long" : "usual";
  const counts = count_min < count ? [count, count_min] : [count];
  return fetchBars(forRequest(context), { symbol, interval, counts, reach });
}

let last_turn: Promise<void> = Promise.resolve();

/**
 * Yields to other requests, which a read of a hundred stored windows would delay. Each caller that yields resumes in a
 * separate turn of the event loop, so that many parallel reads never add up to one long pause.
 */
export function yieldToEventLoop(): Promise<void> {
  last_turn = last_turn.then(() => new Promise((resolve) => setImmediate(resolve)));
  return last_turn;
}

/**
 * Loads several series, returned in the order of the requests; each may fail separately. Stored ones are read first,
 * the rest is fetched in parallel.
 */
export async function loadManyBars(
  context: FetchContext,
  requests: readonly ReadBarsRequest[],
): Promise<readonly Outcome<BarSeries>[]> {
  const outcomes = new Map<number, Outcome<BarSeries>>();
  const stored: BarSeries[] = [];
  for (const [index, request] of requests.entries()) {
    if (index % READS_AT_ONCE === 0) await yieldToEventLoop();
    const value = await readBars(context, request);
    if (!value) continue;
    outcomes.set(index, { ok: true, value });
    stored.push(value);
  }
  citeBars(context, stored);
  const missing = [...requests.entries()].filter(([index]) => !outcomes.has(index));
  const work = async (): Promise<void> => {
    for (let next = missing.shift(); next; next = missing.shift()) {
      const [index, request] = next;
      outcomes.set(index, await outcomeOf(loadBars(context, request)));
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE_MAX, missing.length) }, work));
  return requests.map((_, index) => outcomes.get(index) ?? { ok: false, error: new Error("not loaded") });
}
