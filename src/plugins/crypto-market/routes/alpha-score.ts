import { defineFreeRoute, type FreeContext } from "intel-node";
import { readAlphaScore } from "../signals/alpha-score.ts";
import { SIGNALS } from "../signals/signal-records.ts";

const NOTHING = {
  symbol: "BTC",
  alpha: null,
  confidence: null,
  side: null,
  bar_close_at: null,
  factors: [],
  outcome: null,
  record_hash: null,
};

/** Bitcoin's score of a day ago with what became of it; worth nothing to a trader, and to be checked by anybody. */
export async function answerAlphaScore({ records, now_ms }: FreeContext): Promise<object> {
  const score = await readAlphaScore(records, now_ms);
  if (score) return { ...score, warnings: [] };
  return { ...NOTHING, chain_head: (await records.head(SIGNALS)).head, warnings: ["no_history"] };
}

export const route = defineFreeRoute({
  path: "/alpha-score",
  summary: "Bitcoin's model score of a day ago, with what became of it",
  ttl: "1m",
  answer: answerAlphaScore,
});
