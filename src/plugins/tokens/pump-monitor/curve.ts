/** The launchpad's standard curve: constant product over virtual reserves (product file, 3.9). */
export const CURVE = { sol: 30, tokens: 1_073_000_000, sold: 793_100_000, supply: 1_000_000_000 } as const;
const DEVIATION_MAX = 0.02;

export interface CurveState {
  readonly is_standard: boolean;
  /** Percent of the curve's tokens sold, as the launchpad shows it. */
  readonly progress_pct: number | null;
  readonly sol_raised: number | null;
  readonly price_sol: number;
  readonly mcap_sol: number;
}

/** What virtual reserves say. Another product than the standard one (other modes, other quote) has no progress here. */
export function readCurve(v_sol: number, v_tokens: number): CurveState {
  const deviation = Math.abs((v_sol * v_tokens) / (CURVE.sol * CURVE.tokens) - 1);
  const is_standard = deviation <= DEVIATION_MAX;
  const progress = ((CURVE.tokens - v_tokens) / CURVE.sold) * 100;
  const price_sol = v_sol / v_tokens;
  return {
    is_standard,
    progress_pct: is_standard ? Math.min(100, Math.max(0, progress)) : null,
    sol_raised: is_standard ? v_sol - CURVE.sol : null,
    price_sol,
    mcap_sol: price_sol * CURVE.supply,
  };
}
