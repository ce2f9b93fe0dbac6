import { base58 } from "@scure/base";
import type { SimulatedWorld } from "../../../catalog/simulator.ts";
import { NATIVE, USDC } from "../dex-tokens.ts";
import { poolAddressOf } from "../simulated-tokens/find-token.ts";
import type { SimulatedTokenFacts } from "../simulated-tokens/types.ts";
import { inventAddress, ZOO } from "../simulated-tokens/zoo.ts";

const SLOT_MS = 400;
/** A transaction of a pool every so many slots. */
const EVERY_SLOTS = 10;
/** A node lists 1,000; the played pool is young, which is quicker to play. */
const LISTED_MAX = 200;
const MARK = Buffer.from("pool");
/** Pools whose trades are played, by address: one that exists under this address trades SOL for USDC. */
export const SIMULATED_POOLS = [{ address: "Czfq3xZZDmsdGdUyrNLtRhGc47cXcZtLG4crryfu44zE", name: "SOL/USDC" }] as const;

/** Tokens whose pools against USDC are played too. */
export const PLAYED_TOKENS: readonly SimulatedTokenFacts[] = ZOO.filter(
  ({ chain, id }) => chain === "solana" && ["meadow", "harbour", "mutable-metadata"].includes(id),
);
const TRADERS = 12;
/** Of the traders, those who buy when the price is low. */
const SKILLED = 5;
const CYCLE_SLOTS = 600;

interface PlayedPool {
  readonly address: string;
  /** Null of the pool that trades SOL. */
  readonly token: SimulatedTokenFacts | null;
}
const PLAYED: readonly PlayedPool[] = [
  ...SIMULATED_POOLS.map(({ address }) => ({ address, token: null })),
  ...PLAYED_TOKENS.map((token) => ({ address: poolAddressOf(token), token })),
];

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
  const pool = PLAYED[bytes.readUInt8(4) - 1];
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

interface PlayedTrade {
  readonly signer: string;
  readonly mint: string;
  readonly decimals: number;
  readonly usd: number;
  readonly qty: number;
  readonly is_buy: boolean;
}

/** A trade of SOL of between 100 and a million US dollars. */
function playNative(world: SimulatedWorld, slot: number, draw: (what: string) => number): PlayedTrade {
  const usd = 10 ** (2 + 4 * draw("usd"));
  return {
    signer: base58.encode(Buffer.alloc(32, 1 + Math.floor(draw("signer") * 200))),
    mint: NATIVE.solana.address,
    decimals: 9,
    usd,
    qty: usd / world.price("SOL", slot * SLOT_MS),
    is_buy: draw("side") < 0.5,
  };
}

/** A trade of a token whose price goes up and down, and some traders know when. */
function playToken(token: SimulatedTokenFacts, slot: number, draw: (what: string) => number): PlayedTrade {
  const wave = Math.sin((2 * Math.PI * slot) / CYCLE_SLOTS);
  const trader = Math.floor(draw("trader") * TRADERS);
  const usd = 1_000 + 9_000 * draw("usd");
  return {
    signer: inventAddress("solana", `trader ${trader}`),
    mint: token.address,
    decimals: token.decimals,
    usd,
    qty: usd / (token.price_usd * (1 + 0.1 * wave)),
    is_buy: trader < SKILLED ? wave < 0 : draw("side") < 0.5,
  };
}

/** A trade, or now and then somebody adding liquidity. */
function renderTransaction(world: SimulatedWorld, { pool, slot }: NonNullable<ReturnType<typeof readSignature>>) {
  const draw = (what: string): number => world.noise(`pool ${pool.address} ${slot} ${what}`);
  const trade = pool.token ? playToken(pool.token, slot, draw) : playNative(world, slot, draw);
  const { mint, decimals, usd, qty, is_buy, signer } = trade;
  const is_deposit = draw("deposit") < 0.05;
  const held = { token: 400_000n * 10n ** BigInt(decimals + 3), usdc: 60_000_000n * 10n ** 6n };
  const [moved, paid] = [BigInt(Math.round(qty * 10 ** decimals)), BigInt(Math.round(usd * 1e6))];
  const after = {
    token: held.token + (is_deposit || !is_buy ? moved : -moved),
    usdc: held.usdc + (is_deposit || is_buy ? paid : -paid),
  };
  const balance = (accountIndex: number, of: string, amount: bigint) => ({
    accountIndex,
    mint: of,
    owner: pool.address,
    uiTokenAmount: { amount: String(amount), decimals: of === USDC.solana ? 6 : decimals },
  });
  const render = ({ token, usdc }: typeof held) => [balance(3, mint, token), balance(4, USDC.solana, usdc)];
  return {
    slot,
    blockTime: Math.floor((slot * SLOT_MS) / 1000),
    version: 0,
    meta: { err: null, fee: 5_000, preTokenBalances: render(held), postTokenBalances: render(after) },
    transaction: {
      signatures: [makeSignature(PLAYED.indexOf(pool), slot)],
      message: { accountKeys: [signer, pool.address] },
    },
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
  const pool = PLAYED.findIndex(({ address }) => address === subject);
  if (method !== "getSignaturesForAddress" || pool < 0) return undefined;
  return listSignatures(world, pool, Object(options));
}
