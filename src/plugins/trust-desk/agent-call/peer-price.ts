import { isUSDC, parseAtomic } from "intel-node";
import type { PassedOnData } from "./paid-calls.ts";

/** The amount paid to the peer, atomic USDC; null where nothing left, or not USDC: then the charge is the floor. */
export const readPeerPrice = (passed_on: PassedOnData | null): bigint | null =>
  passed_on !== null && isUSDC(passed_on) ? parseAtomic(passed_on.amount_atomic) : null;
