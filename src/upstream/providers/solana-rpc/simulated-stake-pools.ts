import type { SimulatedWorld } from "../../../catalog/simulator.ts";

const PROGRAM = "SPoo1Ku8WFXoNDMHPsrGSTSG1Y47rzgn41SLUNakuHy";
/** Stake pools that are played, and their growth of a year. */
const POOLS: Readonly<Record<string, number>> = {
  Jito4APyf642JPZPx3hGc6WWJ8zPKtRbRs4P815Awbb: 0.071,
  stk9ApL5HeVAwPLr3TLhDXdZS8ptVu7zp6ov8HFDuMi: 0.066,
};
const ORIGIN_MS = 1_700_000_000_000;
const [YEAR_MS, EPOCH_MS] = [31_536_000_000, 172_800_000];
const TOKENS = 10_000_000n * 1_000_000_000n;

/** A stake pool's account: rewards are added once an epoch. Null for every other address. */
export function getSimulatedStakePool(world: SimulatedWorld, address: unknown) {
  const growth = typeof address === "string" ? POOLS[address] : undefined;
  if (growth === undefined) return null;
  const since_ms = Math.floor((world.now() - ORIGIN_MS) / EPOCH_MS) * EPOCH_MS;
  const data = Buffer.alloc(611);
  data.writeUInt8(1, 0);
  data.writeBigUInt64LE(BigInt(Math.round(Number(TOKENS) * 1.1 * Math.exp((growth * since_ms) / YEAR_MS))), 258);
  data.writeBigUInt64LE(TOKENS, 266);
  return { data, owner: PROGRAM };
}
