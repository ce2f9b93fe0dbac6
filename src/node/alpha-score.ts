import type { Clock } from "../core/clock.ts";
import { keepFor } from "../core/keep-for.ts";
import type { FreeRoute } from "../http/free-route.ts";

import { createJSONAnswer } from "../http/json-answer.ts";
import type { Responder } from "../http/respond.ts";
import { readAlphaScore } from "../plugins/crypto-market/shared/signals/alpha-score.ts";
import type { Records } from "../records/record-chain.ts";
import { ALPHA_SCORE, brandAlphaScore } from "../surfaces/free-endpoints.ts";

export interface AlphaScoreOptions {
  readonly responder: Responder;
  readonly records: Records;
  readonly clock: Clock;
  readonly brand: string;
  /** Members of every answer. */
  readonly stamp: () => Record<string, unknown>;
}

/** What was free a minute ago is free now: a flood must not reach the ledger. */
const KEPT_MS = 60_000;
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

/** `GET /alpha-score`, also under the node's brand: Bitcoin's score of a day ago with what became of it. */
export function createAlphaScoreRoutes(options: AlphaScoreOptions): readonly FreeRoute[] {
  const { responder, records, clock, brand, stamp } = options;
  const json = createJSONAnswer(responder, "public, max-age=3600");
  const read = keepFor(KEPT_MS, clock.now, () => readAlphaScore(records, clock.now()));
  const render = async (): Promise<Record<string, unknown>> => {
    const score = await read();
    const missing = { ...NOTHING, chain_head: (await records.head("signals")).head, warnings: ["no_history"] };
    return { ...stamp(), ...(score ? { ...score, warnings: [] } : missing) };
  };
  return [...new Set([ALPHA_SCORE, brandAlphaScore(brand)])].map((path) => ({
    path,
    methods: ["GET"],
    handler: async (http_call) => json(http_call, await render()),
  }));
}
