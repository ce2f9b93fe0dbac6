import { base58 } from "@scure/base";
import type { SimulatedWorld } from "../../../catalog/simulator.ts";
import { NATIVE, USDC } from "../dex-tokens.ts";

const SLOT_MS = 400;
/** A transaction of a pool every so many slots. */
const EVERY_SLOTS = 10;
/** A node lists 1,000; the played pool is young, which is quicker to play. */
const LISTED_MAX = 200;
const MARK = Buffer.from("pool");
/** Pools whose trades are played, by address: one that exists under this address trades SOL for USDC. */
export const SIMULATED_POOLS = [{ address: "Czfq3xZZDmsdGdUyrNLtRhGc47cXcZtLG4crryfu44zE", name: "SOL/USDC" }] as const;

/** The place of a transaction stands in its signature, so that it can be told from it alone. */
function makeSignature(pool: number, slot: number): string {
  const bytes = Buffer.alloc(64, 7);
  MARK.copy(bytes);
  bytes.writeUInt8(pool + 1, 4);
  bytes.writeBigUInt64BE(BigInt(slot), 5);
  return base58.encode(bytes);
}

function readSignature(signature: unknown) {
  if (typeof signature !== "string" || !/^[1-9A-HJ-NP-Za-km-z]{64,88}$/.test(signature)) return null;
  const bytes = Buffer.from(base58.decode(signature));
  if (bytes.length !== 64 || !bytes.subarray(0, 4).equals(MARK)) return null;
  const pool = SIMULATED_POOLS[bytes.readUInt8(4) - 1];
  return pool ? { pool, slot: Number(bytes.readBigUInt64BE(5)) } : null;
}

function listSignatures(world: SimulatedWorld, pool: number, options: Record<string, unknown>) {
  const newest = Math.floor(world.now() / SLOT_MS / EVERY_SLOTS) * EVERY_SLOTS;
  const rows = [];
  for (let slot = newest; rows.length < LISTED_MAX; slot -= EVERY_SLOTS) {
    const signature = makeSignature(pool, slot);
    if (signature === options.until) break;
    const err = world.noise(`failed ${slot}`) < 0.1 ? { InstructionError: [2, { Custom: 6001 }] } : null;
    rows.push({ signature, slot, err, blockTime: Math.floor((slot * SLOT_MS) / 1000) });
  }
  return rows;
}

/** A trade of between 100 and a million US dollars, or somebody adding liquidity. */
function renderTransaction(world: SimulatedWorld, { pool, slot }: NonNullable<ReturnType<typeof readSignature>>) {
  const draw = (what: string): number => world.noise(`pool ${pool.address} ${slot} ${what}`);
  const usd = 10 ** (2 + 4 * draw("usd"));
  const sol = usd / world.price("SOL", slot * SLOT_MS);
  const [is_buy, is_deposit] = [draw("side") < 0.5, draw("deposit") < 0.05];
  const held = { sol: 400_000n * 10n ** 9n, usdc: 60_000_000n * 10n ** 6n };
  const [lamports, micros] = [BigInt(Math.round(sol * 1e9)), BigInt(Math.round(usd * 1e6))];
  const after = {
    sol: held.sol + (is_deposit || !is_buy ? lamports : -lamports),
    usdc: held.usdc + (is_deposit || is_buy ? micros : -micros),
  };
  const balance = (accountIndex: number, mint: string, amount: bigint) => ({
    ...{ accountIndex, mint, owner: pool.address },
    uiTokenAmount: { amount: String(amount), decimals: mint === USDC.solana ? 6 : 9 },
  });
  const render = ({ sol: of_sol, usdc }: typeof held) => [
    balance(3, NATIVE.solana.address, of_sol),
    balance(4, USDC.solana, usdc),
  ];
  const signer = base58.encode(Buffer.alloc(32, 1 + Math.floor(draw("signer") * 200)));
  return {
    ...{ slot, blockTime: Math.floor((slot * SLOT_MS) / 1000), version: 0 },
    meta: { err: null, fee: 5_000, preTokenBalances: render(held), postTokenBalances: render(after) },
    transaction: { signatures: [makeSignature(0, slot)], message: { accountKeys: [signer, pool.address] } },
  };
}

/** What nodes answer of the played pools; undefined for everything else. */
export function answerPool(
  world: SimulatedWorld,
  { method, params }: { readonly method: string; readonly params: readonly unknown[] },
): unknown {
  const [subject, options] = params;
  if (method === "getTransaction") {
    const found = readSignature(subject);
    return found ? renderTransaction(world, found) : null;
  }
  const pool = SIMULATED_POOLS.findIndex(({ address }) => address === subject);
  if (method !== "getSignaturesForAddress" || pool < 0) return undefined;
  return listSignatures(world, pool, Object(options));
}
