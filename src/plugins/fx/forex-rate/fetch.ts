import { addDays, type FetchContext, type ISODate, NodeError, outcomeOf } from "intel-node";
import { ecb } from "intel-node/providers/ecb/provider";
import { fetchReferenceRates } from "intel-node/providers/ecb/reference-rates";
import { evmRpc } from "intel-node/providers/evm-rpc/provider";
import { frankfurter } from "intel-node/providers/frankfurter/provider";
import { fetchFrankfurterRates } from "intel-node/providers/frankfurter/reference-rates";
import { kraken } from "intel-node/providers/kraken/provider";
import { SWISSQUOTE_PAIRS } from "intel-node/providers/swissquote/dealer-quote";
import { swissquote } from "intel-node/providers/swissquote/provider";
import type { CurrencyPair } from "../currencies/codes.ts";
import {
  chain,
  type FXQuote,
  fetchKrakenFX,
  fetchKrakenPairs,
  fetchSwissquote,
  invert,
  type VenueQuote,
} from "../quotes/quotes.ts";
import { judgeQuote, type LiveQuote, type OracleRate } from "./judge.ts";
import { fetchOracle, hasOracle } from "./oracle.ts";
import { fetchPTAX, hasPTAX, type PTAX } from "./ptax.ts";

const TTL_MS = 15_000;
/** 260 fixes and holidays. */
const HISTORY_DAYS = 400;
/** From Maundy Thursday to Easter Tuesday. */
const FIX_AGE_DAYS_MAX = 6;

export interface Fix {
  readonly date: ISODate;
  readonly rate: number;
}

export interface ForexInputs {
  readonly pair: CurrencyPair;
  readonly live: readonly LiveQuote[];
  /** Asked where no live quote can be used; null where it was not, or could not be read. */
  readonly oracle: OracleRate | null;
  /** Official rates of the pair, oldest first. */
  readonly fixes: readonly Fix[];
  /** Whose copy of them was read; null when neither was. */
  readonly fixed_by: "ecb" | "frankfurter" | null;
  /** Of the dollar and the real: null where unavailable; other pairs do not have it. */
  readonly ptax?: PTAX | null;
  readonly read_at_ms: number;
  readonly warnings: readonly string[];
}

/** Which pairs of a list make a pair: itself, its inverse, or both legs to the dollar. */
export function findLegs(pair: CurrencyPair, listed: readonly CurrencyPair[]): readonly CurrencyPair[] | null {
  const [base = "", quote = ""] = pair.split("/");
  const either = (a: string, b: string): CurrencyPair | undefined =>
    listed.find((one) => one === `${a}/${b}` || one === `${b}/${a}`);
  const direct = either(base, quote);
  if (direct) return [direct];
  const [first, second] = [either(base, "USD"), either("USD", quote)];
  return base !== "USD" && quote !== "USD" && first && second ? [first, second] : null;
}

/** The quote of a pair from its legs. */
export function joinLegs(pair: CurrencyPair, legs: readonly FXQuote[]): VenueQuote | null {
  const [base = "", quote = ""] = pair.split("/");
  const of = (a: string, b: string): VenueQuote | null => {
    const direct = legs.find((leg) => leg.pair === `${a}/${b}`);
    const turned = legs.find((leg) => leg.pair === `${b}/${a}`);
    return direct ?? (turned ? invert(turned) : null);
  };
  const direct = of(base, quote);
  if (direct) return direct;
  const [first, second] = [of(base, "USD"), of("USD", quote)];
  return first && second ? chain(first, second) : null;
}

/** A venue, the pairs it lists, and how it is asked for some of them. */
interface Venue {
  readonly provider: string;
  readonly listed: readonly CurrencyPair[];
  readonly ask: (pairs: readonly CurrencyPair[]) => Promise<readonly FXQuote[]>;
}

async function readVenue(pair: CurrencyPair, { provider, listed, ask }: Venue): Promise<LiveQuote[]> {
  const legs = findLegs(pair, listed);
  const quote = legs && joinLegs(pair, await ask(legs));
  return quote ? [{ provider, bid: quote.bid, ask: quote.ask, at_ms: quote.at_ms }] : [];
}

/** Crosses of the days on which both currencies were fixed. */
export function crossFixes(pair: CurrencyPair, rates: ReadonlyMap<string, readonly Fix[]>): readonly Fix[] {
  const [base = "", quote = ""] = pair.split("/");
  const of = (code: string) => new Map((rates.get(code) ?? []).map(({ date, rate }) => [date, rate]));
  const [bases, quotes] = [of(base), of(quote)];
  const days = base === "EUR" ? [...quotes.keys()] : [...bases.keys()];
  return days.flatMap((date) => {
    const [b, q] = [base === "EUR" ? 1 : bases.get(date), quote === "EUR" ? 1 : quotes.get(date)];
    return b === undefined || q === undefined ? [] : [{ date, rate: q / b }];
  });
}

/** Official rates of a pair, when the newest is not old. @throws NodeError */
async function fetchFixes<B extends "ecb" | "frankfurter">(
  context: FetchContext,
  { pair, by }: { readonly pair: CurrencyPair; readonly by: B },
): Promise<{ readonly by: B; readonly fixes: readonly Fix[] }> {
  const today = new Date(context.now_ms).toISOString().slice(0, 10);
  const currencies = pair.split("/").filter((code) => code !== "EUR");
  const fetchRates = by === "ecb" ? fetchReferenceRates : fetchFrankfurterRates;
  const fixes = crossFixes(pair, await fetchRates(context, { currencies, since: addDays(today, -HISTORY_DAYS) }));
  const newest = fixes.at(-1)?.date ?? "";
  if (newest >= addDays(today, -FIX_AGE_DAYS_MAX)) return { by, fixes };
  throw new NodeError("upstream_bad_response", "the newest fix is old");
}

/** Every live venue of a pair, and its official rates. */
const fetchQuotes = (context: FetchContext, pair: CurrencyPair) =>
  context.each({
    fixes: {
      field: "official, change_1d_pct, change_5d_pct, change_22d_pct, realised_vol_30d_pct, pctile_52w",
      because: "the ECB's rates could not be had, nor Frankfurter's copy of them",
      attempts: [
        { provider: ecb, run: () => fetchFixes<"ecb" | "frankfurter">(context, { pair, by: "ecb" }) },
        { provider: frankfurter, run: () => fetchFixes<"ecb" | "frankfurter">(context, { pair, by: "frankfurter" }) },
      ],
    },
    dealer: {
      field: "quotes",
      because: "swissquote could not be read",
      attempts: [
        {
          provider: swissquote,
          run: () =>
            readVenue(pair, {
              provider: swissquote.id,
              listed: SWISSQUOTE_PAIRS,
              ask: (legs) => Promise.all(legs.map((leg) => fetchSwissquote(context, leg, TTL_MS))),
            }),
        },
      ],
    },
    venue: {
      field: "quotes",
      because: "kraken could not be read",
      attempts: [
        {
          provider: kraken,
          run: async () =>
            readVenue(pair, {
              provider: kraken.id,
              listed: await fetchKrakenPairs(context),
              ask: (legs) => fetchKrakenFX(context, legs, TTL_MS),
            }),
        },
      ],
    },
  });

/**
 * Live quotes, the oracle if no quote is usable, and official rates.
 * @throws NodeError without all three.
 */
export async function fetchForex(
  context: FetchContext,
  { pair: text = "EUR/USD" }: { pair?: string },
): Promise<ForexInputs> {
  const pair = text as CurrencyPair;
  const [{ values, warnings }, ptax] = await Promise.all([
    fetchQuotes(context, pair),
    hasPTAX(pair) ? outcomeOf(fetchPTAX(context)) : null,
  ]);
  const live = [...(values.dealer ?? []), ...(values.venue ?? [])];
  const { by: fixed_by = null, fixes = [] } = values.fixes ?? {};
  const official = fixes.at(-1)?.rate ?? null;
  const is_live = live.some((quote) => judgeQuote(quote, official, context.now_ms) === null);
  const asked = is_live || !hasOracle(pair) ? null : await askOracle(context, pair);
  const oracle = asked?.values.oracle ?? null;
  if (live.length === 0 && oracle === null && fixes.length === 0) {
    throw new NodeError("upstream_unavailable", `there is neither a live quote nor an official rate of ${pair}`);
  }
  const said = [...warnings, ...(asked?.warnings ?? [])];
  return {
    pair,
    live,
    oracle,
    fixes,
    fixed_by,
    read_at_ms: context.now_ms,
    warnings: said,
    ...(ptax ? { ptax: ptax.ok ? ptax.value : null } : {}),
  };
}

const askOracle = (context: FetchContext, pair: CurrencyPair) =>
  context.each({
    oracle: {
      field: "rate",
      because: "no live quote can be used, and the oracle could not be read",
      attempts: [{ provider: evmRpc, run: () => fetchOracle(context, pair) }],
    },
  });
