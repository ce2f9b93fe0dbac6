import { type FetchContext, type Outcome, outcomeOf } from "intel-node";
import { fetchAlternativeMeIndex } from "intel-node/providers/alternative-me/fear-greed";
import { alternativeMe } from "intel-node/providers/alternative-me/provider";
import { fetchCoinmarketcapIndex } from "intel-node/providers/coinmarketcap/fear-greed";
import { coinmarketcap } from "intel-node/providers/coinmarketcap/provider";
import type { FearGreedReading } from "intel-node/providers/fear-greed-reading";
import { type BarSeries, citeBars, readBars } from "intel-node/series/bar-series";
import { citeFunding, readFundingHistory } from "../derivatives/stored-funding.ts";
import { UNIVERSE_20 } from "../universe/universe.ts";

export interface PublisherIndex extends FearGreedReading {
  readonly index_id: "alternative_me" | "coinmarketcap";
}

/** A year of ranks of a one-year maximum takes 729 days. */
const DAYS = 740;

/** The node's stored data about the market, or why it is not used. */
export type StoredWindows =
  | {
      readonly ok: true;
      /** Windows that are up to date; Bitcoin's is among them. */
      readonly windows: readonly BarSeries[];
      readonly funding_days: readonly number[];
    }
  | { readonly ok: false; readonly why: string };

export interface FearGreedInputs {
  readonly publisher: Outcome<PublisherIndex>;
  readonly market: StoredWindows;
}

/** The first publisher that answers. @throws NodeError when none does. */
export const fetchPublisher = (context: FetchContext): Promise<PublisherIndex> =>
  context.first<PublisherIndex>("fear-greed", [
    {
      provider: alternativeMe,
      run: async () => ({ index_id: "alternative_me", ...(await fetchAlternativeMeIndex(context)) }),
    },
    {
      provider: coinmarketcap,
      run: async () => ({ index_id: "coinmarketcap", ...(await fetchCoinmarketcapIndex(context)) }),
    },
  ]);

/** Reads what the jobs stored; makes no calls. */
async function readMarket(context: FetchContext): Promise<StoredWindows> {
  const stored = await Promise.all(
    UNIVERSE_20.map((symbol) => readBars(context, { symbol, interval: "1d", count: DAYS, count_min: 1, grace: true })),
  );
  const windows = stored.flatMap((window) => window ?? []);
  const bitcoin = windows.find(({ symbol }) => symbol === "BTC");
  if (!bitcoin) return { ok: false, why: "no up-to-date daily bars of Bitcoin are stored" };
  const last_ms = bitcoin.bars.at(-1)?.t_ms;
  const alike = windows.filter(({ bars }) => bars.at(-1)?.t_ms === last_ms);
  citeBars(context, alike);
  const funding = await readFundingHistory(context);
  if (funding.current && funding.fetched_at_ms !== null) citeFunding(context, funding.fetched_at_ms);
  return { ok: true, windows: alike, funding_days: funding.current ? funding.days : [] };
}

/** The publisher's index, which may fail, and the node's stored prices. */
export async function fetchFearGreed(context: FetchContext): Promise<FearGreedInputs> {
  const publisher = await outcomeOf(fetchPublisher(context));
  return { publisher, market: await readMarket(context) };
}
