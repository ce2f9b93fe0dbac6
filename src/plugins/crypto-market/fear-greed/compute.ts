import { type Computed, type Draft, missing, missingIn, renderTime } from "intel-node";
import { FEAR_GREED_ATTRIBUTION } from "intel-node/providers/alternative-me/provider";
import { DAY_MS } from "intel-node/providers/bars";
import { coinmarketcap } from "intel-node/providers/coinmarketcap/provider";
import type { FearGreedRow } from "intel-node/providers/fear-greed-reading";
import { getPercentileRank } from "intel-node/quant/stats";
import type { FearGreedInputs, PublisherIndex, StoredWindows } from "./fetch.ts";
import { classify, getComponents, weighComponents } from "./node-index.ts";
import type { FearGreedData, NodeIndexData } from "./schema.ts";

const RANK_VALUES_MAX = 365;
const RANK_VALUES_MIN = 200;
const HISTORY_ROWS = 30;

const ATTRIBUTIONS = {
  alternative_me: FEAR_GREED_ATTRIBUTION,
  coinmarketcap: coinmarketcap.terms.attribution ?? null,
};

const dayOf = (at_ms: number): number => Math.floor(at_ms / DAY_MS);

/** Value now less the value that many days before; null without a value for that day. */
function getChange(rows: readonly FearGreedRow[], days: number): number | null {
  const [newest] = rows;
  const earlier = newest && rows.find((row) => dayOf(row.at_ms) === dayOf(newest.at_ms) - days);
  return newest && earlier ? newest.value - earlier.value : null;
}

/** Days in a row, the newest included, with its classification; a missing day ends the row. */
function getStreak(rows: readonly FearGreedRow[]): number {
  const [newest] = rows;
  if (!newest) return 0;
  const end = rows.findIndex(
    (row, index) => row.classification !== newest.classification || dayOf(row.at_ms) !== dayOf(newest.at_ms) - index,
  );
  return end === -1 ? rows.length : end;
}

type Context = Pick<
  FearGreedData,
  "change_1d" | "change_7d" | "change_30d" | "percentile_365d" | "streak_days" | "history"
>;

const NO_CONTEXT: Context = {
  change_1d: null,
  change_7d: null,
  change_30d: null,
  percentile_365d: null,
  streak_days: null,
  history: null,
};

function getContext(rows: readonly FearGreedRow[]): Context {
  const year = rows.slice(0, RANK_VALUES_MAX).map(({ value }) => value);
  const rank = year.length < RANK_VALUES_MIN ? null : getPercentileRank(year, year[0] ?? Number.NaN);
  return {
    change_1d: getChange(rows, 1),
    change_7d: getChange(rows, 7),
    change_30d: getChange(rows, 30),
    percentile_365d: rank,
    streak_days: getStreak(rows),
    history: rows.slice(0, HISTORY_ROWS).map(({ at_ms, value }) => ({ date: renderTime(at_ms).slice(0, 10), value })),
  };
}

interface NodeIndex {
  readonly index: NodeIndexData;
  /** Close of the newest bar. */
  readonly at_ms: number;
}

const TOO_SHORT = "too little history; the other weights are scaled to 1";

/** The node's own index as it is sold: with the reason where one of its components has no value. */
const explainIndex = ({ value, components }: NodeIndexData): Draft<NodeIndexData> => ({
  value,
  components: components.map((one) => ({ ...one, value: one.value ?? missing(TOO_SHORT) })),
});

/** The node's own index, or why there is none. */
function computeNodeIndex(market: StoredWindows): NodeIndex | string {
  if (!market.ok) return market.why;
  const bitcoin = market.windows.find(({ symbol }) => symbol === "BTC");
  const last = bitcoin?.bars.at(-1);
  const closesOf = (bars: readonly { readonly close: number }[]) => bars.map(({ close }) => close);
  const values = getComponents({
    btc_closes: closesOf(bitcoin?.bars ?? []),
    universe_closes: market.windows.map(({ bars }) => closesOf(bars)),
    funding_days: market.funding_days,
  });
  const index = weighComponents(values);
  if (!index || !last) return "the stored prices do not reach back far enough";
  return { index, at_ms: last.t_ms + DAY_MS };
}

/** All but the node's own index. */
type Own = Omit<Draft<FearGreedData>, "node_index">;

/** The publisher's words and numbers, unchanged, with their context. */
function describePublisher(publisher: PublisherIndex, warnings: string[]): Own {
  const { index_id, rows, next_update_at_ms } = publisher;
  const [newest] = rows;
  if (!newest) throw new RangeError("a publisher's index has at least one value");
  const context = rows.length > 1 ? getContext(rows) : NO_CONTEXT;
  if (index_id !== "alternative_me") {
    warnings.push("index_id: Alternative.me could not be read; this is CoinMarketCap's own index, a different one");
  }
  return {
    index_id,
    value: newest.value,
    classification: newest.classification,
    value_at: renderTime(newest.at_ms),
    next_update_at: next_update_at_ms === null ? missing("not published") : renderTime(next_update_at_ms),
    ...missingIn(
      context,
      rows.length === 1 ? "only the latest value is published" : "the published history is too short",
    ),
    attribution: ATTRIBUTIONS[index_id],
  };
}

function describeNode({ index, at_ms }: NodeIndex, warnings: string[]): Own {
  const unkept = "not kept for the node's own index";
  warnings.push("index_id: no publisher could be read; this is the node's own index, a different one");
  return {
    index_id: "node",
    value: index.value,
    classification: classify(index.value),
    value_at: renderTime(at_ms),
    next_update_at: missing(unkept),
    ...missingIn(NO_CONTEXT, unkept),
    attribution: null,
  };
}

/**
 * The publisher's index with its context, beside the node's own index. They are never mixed.
 * @throws NodeError when neither is available.
 */
export function computeFearGreed({ publisher, market }: FearGreedInputs): Computed<Draft<FearGreedData>> {
  const warnings: string[] = [];
  const node = computeNodeIndex(market);
  const is_known = typeof node !== "string";
  if (publisher.ok) {
    const node_index = is_known ? explainIndex(node.index) : missing(node);
    const data = { ...describePublisher(publisher.value, warnings), node_index };
    return { as_of_ms: Math.max(publisher.value.rows[0]?.at_ms ?? 0, is_known ? node.at_ms : 0), data, warnings };
  }
  if (!is_known) throw publisher.error;
  return {
    as_of_ms: node.at_ms,
    data: { ...describeNode(node, warnings), node_index: explainIndex(node.index) },
    warnings,
  };
}

/** Yesterday's view: the publisher's values less the newest one. Null when there is only one. */
export function rewindFearGreed({ publisher }: FearGreedInputs): FearGreedInputs | null {
  if (!publisher.ok) return null;
  const [newest, ...rows] = publisher.value.rows;
  if (!newest || rows.length === 0) return null;
  return {
    publisher: { ok: true, value: { ...publisher.value, rows, next_update_at_ms: newest.at_ms } },
    market: { ok: false, why: "not part of previews" },
  };
}
