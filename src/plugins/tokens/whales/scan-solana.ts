import type { JobContext } from "intel-node";
import { NATIVE } from "intel-node/providers/dex-tokens";
import { type DexPair, fetchPairsWith } from "intel-node/providers/dexscreener/pairs";
import { findIssuerToken, type IssuerToken } from "intel-node/providers/issuer-tokens";
import type { PoolChange } from "intel-node/providers/solana-rpc/pool-trades";
import { STORED_MIN_USD } from "./chains.ts";
import { ownsItsAccounts, SAMPLED_POOLS_MAX, samplePool } from "./solana-sample.ts";
import { poolScans, type TransferRow, transfers } from "./tables.ts";

const CHAIN = "solana";
const STABLES: readonly string[] = ["USDC", "USDT"];
interface WatchedPool {
  readonly address: string;
  readonly name: string;
  readonly asset: IssuerToken;
  readonly stable: IssuerToken;
}

function readPool(pair: DexPair): readonly WatchedPool[] {
  const { chain, pair_address, base, quote } = pair;
  if (chain !== CHAIN || !ownsItsAccounts(pair)) return [];
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
    .slice(0, SAMPLED_POOLS_MAX);
}

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
    chain: CHAIN,
    tx: signature,
    log_index: 0,
    block: slot,
    block_hash: "",
    token: asset.address,
    from,
    to,
    asset: asset.symbol,
    amount: String(moved < 0n ? -moved : moved),
    usd,
    total_usd: null,
    at_ms,
  };
}

async function scanPool(context: JobContext, pool: WatchedPool): Promise<void> {
  const stored = context.table(poolScans);
  const last = await stored.first({ where: { chain: CHAIN, pool: pool.address }, order: ["-at_ms"] });
  const sample = await samplePool(context, pool.address, last);
  if (!sample) return;
  const rows = sample.read.flatMap(({ change, ...one }) => readTrade(change, pool, one) ?? []);
  await context.table(transfers).put(rows);
  await stored.insert([
    {
      chain: CHAIN,
      pool: pool.address,
      name: pool.name,
      ...sample.end,
      listed: sample.listed,
      read: sample.read.length,
      at_ms: sample.newest_ms,
    },
  ]);
}

/**
 * Reads a sample of the finalized transactions of a few deep pools since the last run, by their signatures, batched.
 * @throws UpstreamError when a pool cannot be read; those before it are stored.
 */
export async function scanSolana(context: JobContext): Promise<void> {
  for (const pool of await choosePools(context)) await scanPool(context, pool);
}
