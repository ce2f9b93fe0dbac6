import { Type } from "@sinclair/typebox";
import {
  createPack,
  type FactsPack,
  type FetchContext,
  NodeError,
  outcomeOf,
  renderTime,
  type Writing,
  writeBlocks,
} from "intel-node";
import { DAY_MS } from "intel-node/providers/bars";
import { readSeats } from "../council/compute.ts";
import { fetchCouncil } from "../council/fetch.ts";
import { listMarketFacts } from "../council/prose.ts";
import type { Coin } from "../council/schema.ts";
import { readCoinHeadlines } from "../news/coin-headlines.ts";
import { hasQuorum, reachVerdict } from "../seats/verdict.ts";
import { COIN_NAMES, listWriters } from "../written/published-facts.ts";
import { planChair } from "./chair.ts";
import { type DebateRound, holdFirstRound, holdSecondRound } from "./debate.ts";
import { DEEP_SEAT_IDS, type DeepInputs, type SeatVotes, voteDeepByRules, WEIGHT_OF_ALL, weigh } from "./seats.ts";

const Fees = Type.Object({
  btc: Type.Object({ fees_sat_vb: Type.Object({ fastest: Type.Number(), hour: Type.Number() }) }),
});

export interface CouncilDeepInputs {
  readonly symbol: Coin;
  readonly rules: SeatVotes;
  readonly first: DebateRound;
  /** Null when too few seats spoke in it. */
  readonly second: DebateRound | null;
  readonly writing: Writing;
  readonly as_of_ms: number;
}

async function readFees(context: FetchContext, symbol: Coin) {
  if (symbol !== "BTC") return null;
  const asked = await outcomeOf(context.ask("/mempool", {}, Fees));
  return asked.ok ? asked.value.data.btc.fees_sat_vb : null;
}

type Gathered = Awaited<ReturnType<typeof gather>>;

async function gather(context: FetchContext, symbol: Coin) {
  const [inputs, fees, texts] = await Promise.all([
    fetchCouncil(context, symbol),
    readFees(context, symbol),
    readCoinHeadlines(context, symbol),
  ]);
  const fee_urgency = fees && fees.hour > 0 ? fees.fastest / fees.hour : null;
  const read: DeepInputs = { ...readSeats(inputs), fee_urgency };
  const as_of_ms = (inputs.series.bars.at(-1)?.t_ms ?? 0) + DAY_MS;
  return { symbol, read, fees, texts, as_of_ms, rules: voteDeepByRules(read) };
}

/** The market's facts: what seats speak of. The chair has the votes besides, after these, so that ids stay. */
function createMarketPack({ symbol, read, fees, texts, as_of_ms }: Gathered, more: readonly Draft[] = []): FactsPack {
  const as_of = renderTime(as_of_ms);
  const onchain = { from: "/mempool", as_of };
  const frame = { windows: ["30d", "50d", "200d", "8h", "1h"], subjects: { [symbol]: COIN_NAMES[symbol] ?? [] } };
  const builder = createPack({ ...frame, texts });
  builder.addAll([
    ...listMarketFacts({ symbol, read, as_of }),
    { ...onchain, name: "fee_next", label: "fee rate of the next block", unit: "number", value: fees?.fastest },
    { ...onchain, name: "fee_hour", label: "fee rate of a slow block", unit: "number", value: fees?.hour },
    { ...onchain, name: "fee_urgency", label: "urgency of fees, ratio", unit: "number", value: read.fee_urgency },
    ...more,
  ]);
  return builder.build();
}
type Draft = ReturnType<typeof listMarketFacts>[number];

/**
 * Two rounds and the chair's report.
 * @throws NodeError when the bars, or in the first round the votes of 60 % of the weight, cannot be had. Nothing is
 * charged then.
 */
export async function fetchCouncilDeep(context: FetchContext, symbol: Coin): Promise<CouncilDeepInputs> {
  const { model } = context;
  if (model === null) throw new NodeError("upstream_unavailable", "No model is configured. Nothing was charged.");
  const gathered = await gather(context, symbol);
  const { rules, read, as_of_ms } = gathered;
  const task = {
    symbol,
    pack: createMarketPack(gathered),
    regime: read.regime,
    seats: DEEP_SEAT_IDS.filter((id) => rules[id] !== null),
    writers: listWriters(context.node.listModels()),
  };
  const first = await holdFirstRound(model, task);
  if (!hasQuorum(weigh(first.votes), WEIGHT_OF_ALL)) {
    const [cause] = first.errors;
    const message = "Models in too few seats gave a vote that keeps to the facts. Nothing was charged.";
    throw new NodeError("upstream_unavailable", message, { retry_after_s: 20, ...(cause ? { cause } : {}) });
  }
  const held = await holdSecondRound(model, task, first.votes);
  const second = hasQuorum(weigh(held.votes), WEIGHT_OF_ALL) ? held : null;
  const { votes } = second ?? first;
  const verdict = reachVerdict(weigh(votes));
  if (!verdict) throw new NodeError("upstream_unavailable", "Nobody voted. Nothing was charged.");
  const own = { from: "/council-deep", as_of: renderTime(as_of_ms) } as const;
  const shares = (["bullish", "neutral", "bearish"] as const).map((vote) => ({
    ...own,
    name: `${vote}_share`,
    label: `${vote} share of the weight`,
    unit: "pct" as const,
    value: verdict.shares_pct[vote],
  }));
  const pack = createMarketPack(gathered, [
    { ...own, name: "score", label: "score of the council", unit: "number", value: verdict.score },
    { ...own, name: "dispersion", label: "dispersion of the seats", unit: "number", value: verdict.dispersion },
    ...shares,
    ...DEEP_SEAT_IDS.map((id) => ({
      ...own,
      name: `${id}_confidence`,
      label: `confidence of the ${id} seat`,
      unit: "index" as const,
      value: votes[id]?.confidence,
    })),
  ]);
  const writing = await writeBlocks(planChair({ symbol, pack, votes, verdict: verdict.verdict }), {
    complete: (request) => model.complete({ ...request, class: "judge" }),
  });
  return { symbol, rules, first, second, writing, as_of_ms };
}
