import type { SimulatedWorld } from "../../../catalog/simulator.ts";

const PROGRAM = "SPoo1Ku8WFXoNDMHPsrGSTSG1Y47rzgn41SLUNakuHy";
/** Stake pools that are played, and their growth of a year. */
const POOLS: Readonly<Record<string, number>> = {
  Jito4APyf642JPZPx3hGc6WWJ8zPKtRbRs4P815Awbb: 0.071,
  stk9ApL5HeVAwPLr3TLhDXdZS8ptVu7zp6ov8HFDuMi: 0.066,
};
/** Marinade's state and its program; where in it (liquid-staking-program, state/mod.rs) stake, price and cap lie. */
const MARINADE = "8szGkuLTAux9XMgZ2vtY39jVSowEcpBfFfD8hXSEqdGC";
const MARINADE_PROGRAM = "MarBmsSgKXdrN1egZf5sqe1TMai9K1rChYNDJgjq7aD";
const [ACTIVE_AT, PRICE_AT, CAP_AT] = [376, 512, 560] as const;
const MARINADE_GROWTH = 0.068;
const ORIGIN_MS = 1_700_000_000_000;
const [YEAR_MS, EPOCH_MS] = [31_536_000_000, 172_800_000];
const TOKENS = 10_000_000n * 1_000_000_000n;

function getMarinade(price: number) {
  const data = Buffer.alloc(2_616);
  data.write("d8926b5e684bb6b1", "hex");
  data.writeBigUInt64LE(BigInt(Math.round(Number(TOKENS) * price)), ACTIVE_AT);
  data.writeBigUInt64LE(BigInt(Math.round(price * 2 ** 32)), PRICE_AT);
  data.writeBigUInt64LE(2n ** 64n - 1n, CAP_AT);
  return { data, owner: MARINADE_PROGRAM };
}

/** A stake pool's account: rewards are added once an epoch. Null for every other address. */
export function getSimulatedStakePool(world: SimulatedWorld, address: unknown) {
  const since_ms = Math.floor((world.now() - ORIGIN_MS) / EPOCH_MS) * EPOCH_MS;
  const priceOf = (growth: number): number => 1.1 * Math.exp((growth * since_ms) / YEAR_MS);
  if (address === MARINADE) return getMarinade(priceOf(MARINADE_GROWTH));
  const growth = typeof address === "string" ? POOLS[address] : undefined;
  if (growth === undefined) return null;
  const data = Buffer.alloc(611);
  data.writeUInt8(1, 0);
  data.writeBigUInt64LE(BigInt(Math.round(Number(TOKENS) * priceOf(growth))), 258);
  data.writeBigUInt64LE(TOKENS, 266);
  return { data, owner: PROGRAM };
}
