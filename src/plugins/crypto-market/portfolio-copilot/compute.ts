import {
  type Computed,
  type Draft,
  missing,
  NodeError,
  renderTime,
  roundAs,
  type Write,
  writeByTemplates,
} from "intel-node";
import { type Bar, DAY_MS } from "intel-node/providers/bars";
import { getEWMACovariance } from "intel-node/quant/matrix";
import { computeRegime, type RegimeInputs } from "../regimes/compute.ts";
import type { Regime } from "../regimes/replay.ts";
import { readVolatility, type VolatilityState } from "../regimes/volatility.ts";
import { alignReturns, getLastCommonDay } from "../returns/aligned-returns.ts";
import { type CopilotInputs, rewindCopilot } from "./fetch.ts";
import { type Allocation, computeAllocation, explainBetas, getChanges } from "./profiles.ts";
import { planCopilot } from "./prose.ts";
import { type CopilotData, CopilotSchema, RISKY } from "./schema.ts";

/** Weights are told, and compared with those of a day earlier, as they are shown. */
const roundAllocation = roundAs(CopilotSchema);

const HISTORY_DAYS = 365;
/** Bars up to a day, that day included. */
const cutBars = ({ bitcoin, universe }: RegimeInputs, last_ms: number): RegimeInputs => {
  const cut = (bars: readonly Bar[]) => bars.slice(0, bars.findLastIndex(({ t_ms }) => t_ms <= last_ms) + 1);
  return { bitcoin: cut(bitcoin), universe: universe.map(cut) };
};

interface Reading {
  readonly regime: Regime;
  readonly volatility_state: VolatilityState;
  readonly allocation: Allocation;
  /** Opening time of the newest bar. */
  readonly bar_ms: number;
  readonly warnings: readonly string[];
}

/** Null when one of the inputs does not reach back far enough, or an asset did not move. */
function read({ market, series }: CopilotInputs): Reading | null {
  const ordered = RISKY.flatMap((symbol) => series.find((one) => one.symbol === symbol) ?? []);
  const newest_ms = getLastCommonDay(ordered);
  const regime_ms = market.bitcoin.at(-1)?.t_ms;
  if (newest_ms === null || regime_ms === undefined) return null;
  const bar_ms = Math.min(newest_ms, regime_ms);
  const cut = cutBars(market, bar_ms);
  const reading = computeRegime(cut);
  const volatility_state = readVolatility(cut.bitcoin.map(({ close }) => close))?.state;
  const aligned = alignReturns(ordered, HISTORY_DAYS, bar_ms);
  if (!reading || !volatility_state || aligned.symbols.length < RISKY.length) return null;
  if (aligned.days_ms.length < HISTORY_DAYS) return null;
  const sized = {
    covariance: getEWMACovariance(aligned.returns),
    returns: aligned.returns,
    regime: reading.regime,
    is_extreme: volatility_state === "extreme",
  };
  const allocation = computeAllocation(sized);
  const warnings = explainBetas(sized);
  if (!allocation) return null;
  return { regime: reading.regime, volatility_state, allocation: roundAllocation(allocation), bar_ms, warnings };
}

/**
 * Three allocations sized to volatility and regime, by rule. Pure.
 * @throws NodeError upstream_unavailable when bars do not reach back far enough.
 */
export function computeCopilot(
  inputs: CopilotInputs,
  { write = writeByTemplates }: { readonly write?: Write } = {},
): Computed<Draft<CopilotData>> {
  const now = read(inputs);
  if (!now) {
    const message = "Daily bars do not reach back far enough for this. Nothing was charged.";
    throw new NodeError("upstream_unavailable", message, { retry_after_s: 600 });
  }
  const before = read(rewindCopilot(inputs));
  const as_of_ms = now.bar_ms + DAY_MS;
  const figures = {
    regime: now.regime,
    volatility_state: now.volatility_state,
    ...now.allocation,
    changes_since_yesterday: before ? getChanges(now.allocation, before.allocation) : null,
  };
  const { written, warnings: unwritten } = write(planCopilot(figures, renderTime(as_of_ms)));
  const { blocks, facts } = written;
  return {
    as_of_ms,
    data: {
      ...figures,
      changes_since_yesterday: figures.changes_since_yesterday ?? missing("the bars do not reach back a day further"),
      blocks,
      facts,
      written_by: written.written_by,
    },
    warnings: [...now.warnings, ...unwritten],
  };
}

/** The balanced profile only. */
export const redactCopilot = (data: CopilotData): CopilotData => ({
  ...data,
  profiles: data.profiles.filter(({ id }) => id === "balanced"),
  changes_since_yesterday: null,
  blocks: [],
  facts: [],
});
