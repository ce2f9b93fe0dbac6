import { countBankDays, type ISODate } from "intel-node";
import { type Day, expiryOf, parseContract } from "../b3/contracts.ts";
import type { Settlement } from "../b3/settlement.ts";
import type { CurvePoint } from "./flat-forward.ts";

/** A rate future as a vertex of its curve. */
export interface Vertex extends CurvePoint {
  readonly symbol: string;
  readonly expiry: ISODate;
  readonly pu: number;
  readonly open_interest: number | null;
}

/** Below this the month's known inflation, not the market, makes a DAP's rate. */
export const REAL_DU_MIN = 126;

function toVertices(settlements: readonly Settlement[], { date, extra }: Day, root: "DI1" | "DAP"): readonly Vertex[] {
  return settlements
    .flatMap(({ symbol, settle, rate, open_interest }): Vertex[] => {
      const contract = parseContract(symbol);
      if (contract?.root !== root || rate === null) return [];
      const expiry = expiryOf(contract, extra);
      const du = countBankDays(date, expiry, extra);
      return du > 0 ? [{ symbol, expiry, du, rate, pu: settle, open_interest }] : [];
    })
    .sort((a, b) => a.du - b.du);
}

/** Vertices of the nominal (DI1) and the real curve (DAP), nearest first. */
export const getVertices = (settlements: readonly Settlement[], day: Day) => ({
  nominal: toVertices(settlements, day, "DI1"),
  real: toVertices(settlements, day, "DAP"),
});

/**
 * What real rates from 126 business days on are interpolated between: the vertices that long, and the longest shorter
 * one before them. The month's known inflation is the same growth in both ends, so that between them it is no more than
 * it is in the far one; without the near end there would be no rate between 126 days and the first long vertex, which
 * every year from November on lies more than a year away.
 */
export function getRealPoints(real: readonly Vertex[]): readonly Vertex[] {
  const first = real.findIndex(({ du }) => du >= REAL_DU_MIN);
  return first < 0 ? [] : real.slice(Math.max(0, first - 1));
}
