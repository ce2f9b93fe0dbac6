import { type FetchContext, type Outcome, outcomeOf } from "intel-node";
import type { Bar } from "intel-node/providers/bars";
import { DAY_MS } from "intel-node/providers/bars";
import type { BarSeries } from "intel-node/series/bar-series";
import { loadManyBars } from "intel-node/series/load-bars";
import { readStoredBreadth } from "../breadth/stored-breadth.ts";
import { fetchPositioning, readStoredPositioning } from "../derivatives/stored-funding.ts";
import { fetchPublisher, type PublisherIndex } from "../fear-greed/fetch.ts";
import { VOTE_COINS, type VoteCoin } from "./vote-records.ts";
import { castVotes, type Voter } from "./voters.ts";

/** What the rules look at on one day, coin by coin. */
export interface DayInputs {
  readonly coins: readonly {
    readonly symbol: VoteCoin;
    /** Empty when unavailable. */
    readonly bars: readonly Bar[];
    readonly funding_apr_pct: number | null;
  }[];
  readonly fng: number | null;
  readonly breadth_share: number | null;
}

export interface BallotInputs {
  readonly today: DayInputs;
  /** The same, a day earlier. */
  readonly yesterday: DayInputs;
}

/** 200-day averages need 200; a longer start makes the exponential averages the same for everybody. */
const BARS_WANTED = 400;
const BARS_MIN = 201;

/** Value of the publisher's index in force at a time; null when the newest before it is older than two days. */
function findIndex(publisher: Outcome<PublisherIndex>, at_ms: number): number | null {
  const row = publisher.ok ? publisher.value.rows.find((one) => one.at_ms <= at_ms) : undefined;
  return row && at_ms - row.at_ms <= 2 * DAY_MS ? row.value : null;
}

interface DayParts {
  readonly series: readonly Outcome<BarSeries>[];
  readonly publisher: Outcome<PublisherIndex>;
  readonly breadth_share: number | null;
  readonly before_ms: number;
}

async function readDay(
  context: FetchContext,
  { series, publisher, breadth_share, before_ms }: DayParts,
): Promise<DayInputs> {
  const readPositioning = (symbol: string) =>
    before_ms === 0 ? fetchPositioning(context, [symbol]) : readStoredPositioning(context, [symbol], before_ms);
  const positions = await Promise.all(VOTE_COINS.map(readPositioning));
  const coins = VOTE_COINS.map((symbol, index) => {
    const one = series[index];
    const bars = one?.ok ? one.value.bars : [];
    const positioning = positions[index] ?? null;
    return {
      symbol,
      bars: before_ms === 0 ? bars : bars.slice(0, -1),
      funding_apr_pct: positioning?.funding_apr_pct ?? null,
    };
  });
  return { coins, breadth_share, fng: findIndex(publisher, context.now_ms - before_ms) };
}

/** Everything the rules need, today's and yesterday's; each part can be missing. */
export async function fetchBallotInputs(
  context: FetchContext,
  { grace }: { readonly grace: boolean },
): Promise<BallotInputs> {
  const requests = VOTE_COINS.map((symbol) => ({
    symbol,
    interval: "1d" as const,
    count: BARS_WANTED,
    count_min: BARS_MIN,
    grace,
  }));
  const [series, publisher, breadth] = await Promise.all([
    loadManyBars(context, requests),
    outcomeOf(fetchPublisher(context)),
    readStoredBreadth(context),
  ]);
  const parts = { series, publisher };
  return {
    today: await readDay(context, { ...parts, breadth_share: breadth?.today.share ?? null, before_ms: 0 }),
    yesterday: await readDay(context, { ...parts, breadth_share: breadth?.yesterday.share ?? null, before_ms: DAY_MS }),
  };
}

export interface Ballot {
  readonly symbol: VoteCoin;
  readonly voters: readonly Voter[];
  /** Close of the newest bar; null without bars. */
  readonly bar_close_at_ms: number | null;
  readonly close: number | null;
}

export const castBallots = ({ coins, fng, breadth_share }: DayInputs): readonly Ballot[] =>
  coins.map(({ symbol, bars, funding_apr_pct }) => {
    const last = bars.at(-1);
    return {
      symbol,
      voters: castVotes({ bars, funding_apr_pct, fng, breadth_share }),
      bar_close_at_ms: last ? last.t_ms + DAY_MS : null,
      close: last?.close ?? null,
    };
  });
