import type { Chart, ChartBand } from "intel-node";
import { DAY_MS } from "intel-node/providers/bars";
import { computeRegime, type RegimeInputs } from "../regimes/compute.ts";
import type { Regime, RegimeDay } from "../regimes/replay.ts";

const TONES: Readonly<Record<Regime, ChartBand["tone"]>> = { bull: "good", bear: "bad", chop: "neutral" };
const HALF_DAY_MS = DAY_MS / 2;

/** Stretches of days in one state, each from half a day before its first close to half a day after its last. */
function toBands(days: readonly RegimeDay[]): ChartBand[] {
  const bands: ChartBand[] = [];
  for (const { t_ms, regime } of days) {
    const last = bands.at(-1);
    const to_ms = t_ms + HALF_DAY_MS;
    if (last?.name === regime) bands[bands.length - 1] = { ...last, to_ms };
    else bands.push({ name: regime, tone: TONES[regime], from_ms: t_ms - HALF_DAY_MS, to_ms });
  }
  return bands;
}

/** Bitcoin's daily closes over the days that are replayed, with the state at each; none without enough bars. */
export function drawRegime(inputs: RegimeInputs & { readonly provider: string }): readonly Chart[] {
  const days = computeRegime(inputs)?.days ?? [];
  const closes = new Map(inputs.bitcoin.map(({ t_ms, close }) => [t_ms, close]));
  const points = days.map(({ t_ms }): [number, number | null] => [t_ms, closes.get(t_ms) ?? null]);
  if (points.length === 0) return [];
  const about =
    `Bitcoin's daily closes (UTC, ${inputs.provider}) and the state at each, replayed from chop at the first one; ` +
    "nothing later decides it. A state says little about later prices.";
  const lines = [{ name: "BTC, daily close", points }];
  const title = `Bitcoin and the regime, ${days.length} days`;
  return [{ kind: "time", title, about, unit: "usd", step_ms: DAY_MS, lines, bands: toBands(days) }];
}
