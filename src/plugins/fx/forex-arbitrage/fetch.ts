import { type FetchContext, NodeError } from "intel-node";
import { kraken } from "intel-node/providers/kraken/provider";
import { SWISSQUOTE_PAIRS } from "intel-node/providers/swissquote/dealer-quote";
import { swissquote } from "intel-node/providers/swissquote/provider";
import { config } from "../config.ts";
import { type FXQuote, fetchKrakenFX, fetchKrakenPairs, fetchSwissquote } from "../quotes/quotes.ts";

const TTL_MS = 10_000;
const PAIRS_MIN = 3;

export interface ForexArbitrageInputs {
  readonly quotes: readonly FXQuote[];
  readonly fee_bps: number;
  readonly min_net_bps: number;
  readonly read_at_ms: number;
  readonly warnings: readonly string[];
}

/** @throws NodeError when no venue has three pairs. */
export async function fetchArbitrage(context: FetchContext): Promise<ForexArbitrageInputs> {
  const { values, warnings } = await context.each({
    dealer: {
      field: "opportunities",
      because: "swissquote could not be read",
      attempts: [
        {
          provider: swissquote,
          run: () => Promise.all(SWISSQUOTE_PAIRS.map((pair) => fetchSwissquote(context, pair, TTL_MS))),
        },
      ],
    },
    venue: {
      field: "opportunities",
      because: "kraken could not be read",
      attempts: [
        { provider: kraken, run: async () => fetchKrakenFX(context, await fetchKrakenPairs(context), TTL_MS) },
      ],
    },
  });
  const venues = [values.dealer ?? [], values.venue ?? []];
  if (venues.every((quotes) => quotes.length < PAIRS_MIN)) {
    throw new NodeError("upstream_unavailable", `no venue quotes ${PAIRS_MIN} pairs`);
  }
  const { fee_bps_per_leg: fee_bps, min_net_bps } = context.config(config);
  return { quotes: venues.flat(), fee_bps, min_net_bps, read_at_ms: context.now_ms, warnings };
}
