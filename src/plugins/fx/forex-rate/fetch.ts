import { addDays, type FetchContext, type ISODate, NodeError } from "intel-node";
import { ecb } from "intel-node/providers/ecb/provider";
import { fetchReferenceRates } from "intel-node/providers/ecb/reference-rates";
import { kraken } from "intel-node/providers/kraken/provider";
import { SWISSQUOTE_PAIRS } from "intel-node/providers/swissquote/dealer-quote";
import { swissquote } from "intel-node/providers/swissquote/provider";
import {
  chain,
  type FXQuote,
  fetchKrakenFX,
  fetchSwissquote,
  invert,
  KRAKEN_PAIRS,
  type Pair,
  type Quote,
} from "../shared/quotes.ts";

const TTL_MS = 15_000;
/** 260 fixes and holidays. */
const HISTORY_DAYS = 400;
/** From Maundy Thursday to Easter Tuesday. */
const FIX_AGE_DAYS_MAX = 6;

export interface LiveQuote extends Quote {
  readonly provider: string;
}
export interface Fix {
  readonly date: ISODate;
  readonly rate: number;
}

export interface ForexInputs {
  readonly pair: Pair;
  readonly live: readonly LiveQuote[];
  /** Official rates of the pair, oldest first. */
  readonly fixes: readonly Fix[];
  readonly read_at_ms: number;
  readonly warnings: readonly string[];
}

/** Which pairs of a list make a pair: itself, its inverse, or both legs to the dollar. */
export function findLegs(pair: Pair, listed: readonly Pair[]): readonly Pair[] | null {
  const [base = "", quote = ""] = pair.split("/");
  const either = (a: string, b: string): Pair | undefined =>
    listed.find((one) => one === `${a}/${b}` || one === `${b}/${a}`);
  const direct = either(base, quote);
  if (direct) return [direct];
  const [first, second] = [either(base, "USD"), either("USD", quote)];
  return base !== "USD" && quote !== "USD" && first && second ? [first, second] : null;
}

/** The quote of a pair from its legs. */
export function joinLegs(pair: Pair, legs: readonly FXQuote[]): Quote | null {
  const [base = "", quote = ""] = pair.split("/");
  const of = (a: string, b: string): Quote | null => {
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
  readonly listed: readonly Pair[];
  readonly ask: (pairs: readonly Pair[]) => Promise<readonly FXQuote[]>;
}

async function readVenue(pair: Pair, { provider, listed, ask }: Venue): Promise<LiveQuote[]> {
  const legs = findLegs(pair, listed);
  const quote = legs && joinLegs(pair, await ask(legs));
  return quote ? [{ provider, bid: quote.bid, ask: quote.ask, at_ms: quote.at_ms }] : [];
}

/** Crosses of the days on which both currencies were fixed. */
export function crossFixes(pair: Pair, rates: ReadonlyMap<string, readonly Fix[]>): readonly Fix[] {
  const [base = "", quote = ""] = pair.split("/");
  const of = (code: string) => new Map((rates.get(code) ?? []).map(({ date, rate }) => [date, rate]));
  const [bases, quotes] = [of(base), of(quote)];
  const days = base === "EUR" ? [...quotes.keys()] : [...bases.keys()];
  return days.flatMap((date) => {
    const [b, q] = [base === "EUR" ? 1 : bases.get(date), quote === "EUR" ? 1 : quotes.get(date)];
    return b === undefined || q === undefined ? [] : [{ date, rate: q / b }];
  });
}

/** @throws NodeError when neither a live quote nor an official rate can be had. */
export async function fetchForex(
  context: FetchContext,
  { pair: text = "EUR/USD" }: { pair?: string },
): Promise<ForexInputs> {
  const pair = text as Pair;
  const today = new Date(context.now_ms).toISOString().slice(0, 10);
  const { values, warnings } = await context.each({
    fixes: {
      field: "official, change_1d_pct, change_5d_pct, change_22d_pct, realised_vol_30d_pct, pctile_52w",
      because: "the ECB's rates could not be had",
      attempts: [
        {
          provider: ecb,
          run: async () => {
            const currencies = pair.split("/").filter((code) => code !== "EUR");
            const rates = await fetchReferenceRates(context, { currencies, since: addDays(today, -HISTORY_DAYS) });
            const fixes = crossFixes(pair, rates);
            const newest = fixes.at(-1)?.date ?? "";
            if (newest < addDays(today, -FIX_AGE_DAYS_MAX)) {
              throw new NodeError("upstream_bad_response", "the newest fix is old");
            }
            return fixes;
          },
        },
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
              ...{ provider: swissquote.id, listed: SWISSQUOTE_PAIRS },
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
          run: () =>
            readVenue(pair, {
              ...{ provider: kraken.id, listed: KRAKEN_PAIRS },
              ask: (legs) => fetchKrakenFX(context, legs, TTL_MS),
            }),
        },
      ],
    },
  });
  const live = [...(values.dealer ?? []), ...(values.venue ?? [])];
  const fixes = values.fixes ?? [];
  if (live.length === 0 && fixes.length === 0) {
    throw new NodeError("upstream_unavailable", `there is neither a live quote nor an official rate of ${pair}`);
  }
  return { pair, live, fixes, read_at_ms: context.now_ms, warnings };
}
