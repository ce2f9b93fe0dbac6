import { type BrazilParts, dataOf } from "./parts.ts";

/** A rule-based trigger: on when its value is beyond its threshold. */
export interface RiskTrigger {
  readonly id: string;
  readonly value: number | null;
  readonly threshold: number;
  /** Null when the value is unknown. */
  readonly triggered: boolean | null;
}

/** On which side of its threshold a trigger is on. */
type Limit = { readonly above: number } | { readonly below: number };

function risk(id: string, value: number | null | undefined, limit: Limit): RiskTrigger {
  const known = value ?? null;
  const is_above = "above" in limit;
  const threshold = is_above ? limit.above : limit.below;
  const triggered = known === null ? null : is_above ? known > threshold : known < threshold;
  return { id, value: known, threshold, triggered };
}

const size = (value: number | null | undefined) => (value === null || value === undefined ? null : Math.abs(value));

/** The triggers of a text on Brazil, by published rules. */
export function listRisks(parts: BrazilParts): readonly RiskTrigger[] {
  const [macro, curve] = [dataOf(parts, "macro"), dataOf(parts, "curve")];
  const [equity, agro] = [dataOf(parts, "equity"), dataOf(parts, "agro")];
  const inflation = macro?.inflation;
  const focus = macro?.focus?.find(({ indicator }) => indicator === "ipca");
  const breakeven = curve?.curve.find(({ tenor }) => tenor === "5y")?.breakeven;
  return [
    risk("ipca_above_band", inflation?.ipca_12m, { above: inflation?.band_high ?? 4.5 }),
    risk("ipca_below_band", inflation?.ipca_12m, { below: inflation?.band_low ?? 1.5 }),
    risk("focus_year_above_4_5", focus?.median, { above: 4.5 }),
    risk("curve_level_21d_bps", curve?.pca_like.level_21d, { above: 50 }),
    risk("breakeven_5y", breakeven, { above: 5.5 }),
    risk("ptax_21d_move_pct", size(macro?.fx.change_21d_pct), { above: 5 }),
    risk("gross_debt_12m_pp", macro?.fiscal.change_12m_pp, { above: 3 }),
    risk("primary_balance_pct", macro?.fiscal.primary_balance_12m, { below: -1 }),
    risk("ibov_drawdown_pct", equity?.drawdown_pct, { below: -10 }),
    risk("cattle_corn_percentile", agro?.ratios.cattle_corn.percentile_52w, { below: 20 }),
  ];
}
