import { type FetchContext, toNodeError } from "intel-node";
import type { BarSeries } from "intel-node/series/bar-series";
import { loadManyBars } from "intel-node/series/load-bars";
import type { RegimeInputs } from "../regimes/compute.ts";
import { loadRegimeInputs } from "../regimes/load.ts";
import { withoutLastDay } from "../returns/aligned-returns.ts";
import { RISKY } from "./schema.ts";

/** A year of returns today, a day earlier, and a day before that for the preview. */
const BARS = 368;

export interface CopilotInputs {
  readonly market: RegimeInputs;
  readonly series: readonly BarSeries[];
}

/** @throws NodeError when daily bars of Bitcoin, Ether or Solana are unavailable. */
export async function fetchCopilot(context: FetchContext): Promise<CopilotInputs> {
  const [market, outcomes] = await Promise.all([
    loadRegimeInputs(context),
    loadManyBars(
      context,
      RISKY.map((symbol) => ({ symbol, interval: "1d", count: BARS, grace: true })),
    ),
  ]);
  const errors = outcomes.flatMap((outcome) => (outcome.ok ? [] : [outcome.error]));
  if (errors.length > 0) throw toNodeError(errors, "portfolio-copilot");
  return { market, series: outcomes.flatMap((outcome) => (outcome.ok ? [outcome.value] : [])) };
}

/** The same a day earlier. */
export function rewindCopilot({ market, series }: CopilotInputs): CopilotInputs {
  const { bitcoin, universe } = market;
  return {
    market: { bitcoin: bitcoin.slice(0, -1), universe: universe.map((bars) => bars.slice(0, -1)) },
    series: withoutLastDay(series),
  };
}
