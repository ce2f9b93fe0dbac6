import { type Computed, renderTime, toNodeError } from "intel-node";
import { getNormalCDF } from "intel-node/quant/distributions";
import { describeMissingBars, listMissingBars } from "intel-node/series/missing-bars";
import { UNIVERSE_20 } from "../universe/universe.ts";
import { HOUR_MS, scanCandles } from "./candles.ts";
import type { AnomaliasInputs } from "./fetch.ts";
import type { AnomalyFinding, Skipped } from "./finding.ts";
import { lookAtReadings } from "./readings.ts";
import { getZOfSeverity, SYMBOLS_MIN } from "./rules.ts";
import { type AnomaliasData, type AnomalyData, TYPES } from "./schema.ts";

const NOTE =
  "Lines with a robust z to expect from chance alone if every statistic were normally distributed. Prices have " +
  "fatter tails, so there are more: rarity says how often each one's own history was as far off.";
const NAMED_MAX = 3;

/**
 * Lines that chance gives: for each statistic with a z the normal probability of reaching the z that belongs to the
 * threshold, on one side or on both.
 */
function getExpected(findings: readonly AnomalyFinding[], threshold: number): number {
  const tail = threshold >= 1 ? 0 : getNormalCDF(-getZOfSeverity(threshold));
  const sides = findings.reduce((sum, finding) => sum + (finding.sides ?? 0), 0);
  return sides * tail;
}

function describe(finding: AnomalyFinding): AnomalyData {
  const { type, symbol, window_h } = finding;
  const started_at = renderTime(finding.started_at_ms);
  return {
    id: `${type}:${symbol}:${window_h}h:${started_at}`,
    type,
    symbol,
    severity: finding.severity,
    direction: finding.direction,
    value: finding.value,
    unit: finding.unit,
    baseline: finding.baseline,
    rz: finding.rz,
    rarity: finding.rarity,
    window_h,
    started_at,
    note_code: finding.note_code,
  };
}

/** One warning per type and reason, naming the first coins. */
function warnOf(skipped: readonly Skipped[]): string[] {
  return TYPES.flatMap((type) => {
    const of_type = skipped.filter((one) => one.type === type);
    return [...new Set(of_type.map(({ reason }) => reason))].map((reason) => {
      const symbols = [...new Set(of_type.filter((one) => one.reason === reason).map(({ symbol }) => symbol))];
      const more = symbols.length > NAMED_MAX ? ` and ${symbols.length - NAMED_MAX} more` : "";
      return `anomalies.${type}: not looked at for ${symbols.slice(0, NAMED_MAX).join(", ")}${more}: ${reason}`;
    });
  });
}

/**
 * Everything statistically odd, most severe first. Pure.
 * @throws NodeError upstream_unavailable or upstream_bad_response when fewer than 12 coins have candles.
 */
export function computeAnomalias(
  inputs: AnomaliasInputs,
  { threshold }: { readonly threshold: number },
): Computed<AnomaliasData> {
  const series = inputs.series.flatMap((outcome) => (outcome.ok ? [outcome.value] : []));
  if (series.length < SYMBOLS_MIN) {
    throw toNodeError(
      inputs.series.flatMap((outcome) => (outcome.ok ? [] : [outcome.error])),
      "anomalias",
    );
  }
  const parts = [...(inputs.candles ?? scanCandles(series)), lookAtReadings(inputs)];
  const findings = parts.flatMap((part) => part.findings);
  const skipped = parts.flatMap((part) => part.skipped);
  const warnings = warnOf(skipped);
  if (!series.some(({ symbol }) => symbol === "BTC"))
    warnings.push("anomalies.decoupling: not looked at, it needs candles of BTC");
  const missing = listMissingBars(UNIVERSE_20, inputs.series);
  warnings.push(...describeMissingBars("scanned.symbols", "hourly candles", missing));

  const bars_until_ms = Math.max(...series.map(({ bars }) => (bars.at(-1)?.t_ms ?? 0) + HOUR_MS));
  const odd = findings
    .filter(({ severity }) => severity > 0 && severity >= threshold)
    .map((finding) => ({ severity: finding.severity, line: describe(finding) }))
    .sort((a, b) => b.severity - a.severity || (a.line.id < b.line.id ? -1 : 1));
  const stated = findings.filter(({ window_h }) => window_h === 0).map(({ started_at_ms }) => started_at_ms);
  return {
    as_of_ms: Math.min(inputs.read_at_ms, Math.max(bars_until_ms, ...stated)),
    warnings,
    data: {
      anomalies: odd.map(({ line }) => line),
      scanned: {
        symbols: series.length,
        tests: findings.length,
        z_tests: findings.filter(({ sides }) => sides !== null).length,
        threshold,
      },
      false_alarm_note: { expected_per_scan: getExpected(findings, threshold), text: NOTE },
      bars_until: renderTime(bars_until_ms),
    },
  };
}
