import type { JobContext } from "intel-node";
import { NATIVE } from "intel-node/providers/dex-tokens";
import { type DexPair, fetchPairsWith } from "intel-node/providers/dexscreener/pairs";
import { findIssuerToken, type IssuerToken } from "intel-node/providers/issuer-tokens";
import { fetchPoolChanges, fetchSignatures, type PoolChange } from "intel-node/providers/solana-rpc/pool-trades";
import { STORED_MIN_USD } from "./chains.ts";
import { poolScans, type TransferRow, transfers } from "./tables.ts";

const CHAIN = "solana";
const STABLES: readonly string[] = ["USDC", "USDT"];
/** Public nodes take 40 calls of one method in ten seconds: all transactions of a run stay below that. */
const [POOLS_MAX, READ_PER_POOL] = [3, 12];
/** Pools of these kinds own their token accounts themselves, so a transaction shows what it did to them. */
const OWNERS: Readonly<Record<string, string | null>> = { orca: null, raydium: "CLMM", meteora: "DLMM" };

interface WatchedPool {
  readonly address: string;
  readonly name: string;
  readonly asset: IssuerToken;
  readonly stable: IssuerToken;
}

function readPool({ chain, dex, labels, pair_address, base, quote }: DexPair): readonly WatchedPool[] {
  const label = OWNERS[dex];
  if (chain !== CHAIN || label === undefined || (label !== null && !labels.includes(label))) return [];
  const [one, other] = [findIssuerToken(CHAIN, base.address), findIssuerToken(CHAIN, quote.address)];
  if (!one || !other || STABLES.includes(one.symbol) === STABLES.includes(other.symbol)) return [];
  const [asset, stable] = STABLES.includes(other.symbol) ? [one, other] : [other, one];
  return [{ address: pair_address, name: `${asset.symbol}/${stable.symbol}`, asset, stable }];
}

/** The deepest pools of SOL against a stablecoin. @throws UpstreamError */
async function choosePools(context: JobContext): Promise<readonly WatchedPool[]> {
  const pairs = await fetchPairsWith(context, { chain: CHAIN, token: NATIVE.solana.address });
  return pairs
    .toSorted((a, b) => (b.liquidity_usd ?? 0) - (a.liquidity_usd ?? 0))
    .flatMap(readPool)
    .slice(0, POOLS_MAX);
}

/** So many of a list, evenly spread, so that no moment is preferred. */
export const spread = <T>(list: readonly T[], most: number): readonly T[] =>
  list.length <= most
    ? list
    : Array.from({ length: most }, (_, index) => list[Math.floor((index * list.length) / most)] as T);

/** A change of a pool as a trade: one token in, the other out. Null for deposits, withdrawals and small ones. */
export function readTrade(
  { changes, signer, slot }: PoolChange,
  { address, asset, stable }: WatchedPool,
  { signature, at_ms }: { readonly signature: string; readonly at_ms: number },
): TransferRow | null {
  const [moved, paid] = [changes.get(asset.address) ?? 0n, changes.get(stable.address) ?? 0n];
  if (changes.size !== 2 || moved === 0n || paid === 0n || moved > 0n === paid > 0n) return null;
  const usd = Math.abs(Number(paid)) / 10 ** stable.decimals;
  if (usd < STORED_MIN_USD) return null;
  const [from, to] = moved < 0n ? [address, signer] : [signer, address];
  return {
    ...{ chain: CHAIN, tx: signature, log_index: 0, block: slot, block_hash: "", token: asset.address, from, to },
    ...{ asset: asset.symbol, amount: String(moved < 0n ? -moved : moved), usd, total_usd: null, at_ms },
  };
}

async function scanPool(context: JobContext, pool: WatchedPool): Promise<void> {
  const stored = context.table(poolScans);
  const last = await stored.first({ where: { chain: CHAIN, pool: pool.address }, order: ["-at_ms"] });
  const until = last ? { until: last.signature } : {};
  const all = await fetchSignatures(context, { address: pool.address, ...until });
  // When a trade was that has no time cannot be told.
  const listed = all.flatMap(({ failed, at_ms, ...one }) => (failed || at_ms === null ? [] : [{ ...one, at_ms }]));
  const [newest] = listed;
  if (!newest) return;
  const chosen = spread(listed, READ_PER_POOL);
  const signatures = chosen.map(({ signature }) => signature);
  const read = await fetchPoolChanges(context, { pool: pool.address, signatures });
  const [failed] = read.filter((one) => !one.ok);
  if (failed && !failed.ok && read.every((one) => !one.ok)) throw failed.error;
  const rows = read.flatMap((one, index) => {
    const from = chosen[index];
    const row = one.ok && from ? readTrade(one.value, pool, from) : null;
    return row ? [row] : [];
  });
  await context.table(transfers).put(rows);
  await stored.insert([
    {
      ...{ chain: CHAIN, pool: pool.address, name: pool.name, signature: newest.signature, slot: newest.slot },
      ...{ listed: listed.length, read: read.filter(({ ok }) => ok).length },
      // As old as what was read, whenever that was: a node that hangs behind shows the past.
      at_ms: Math.min(newest.at_ms, context.now_ms),
    },
  ]);
}

/**
 * Reads a sample of the confirmed transactions of a few deep pools since the last run, by their signatures, batched.
 * @throws UpstreamError when a pool cannot be read; those before it are stored.
 */
export async function scanSolana(context: JobContext): Promise<void> {
  for (const pool of await choosePools(context)) await scanPool(context, pool);
}
