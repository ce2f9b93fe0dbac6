import { type JobContext, outcomeOf } from "intel-node";
import { NATIVE } from "intel-node/providers/dex-tokens";
import { fetchPoolPrice } from "intel-node/providers/dexscreener/pool-price";
import { ISSUER_TOKENS } from "intel-node/providers/issuer-tokens";
import type { PoolChange } from "intel-node/providers/solana-rpc/pool-trades";
import { describeScanFault } from "../whales/blocks.ts";
import { samplePool } from "../whales/solana-sample.ts";
import { currentPools } from "./pools.ts";
import { valueSwap } from "./swaps.ts";
import { type TradePoolRow, type TradeRow, tradeNotes, tradePoolScans, trades } from "./tables.ts";

const CHAIN = "solana";

const mintOf = (symbol: string): string =>
  ISSUER_TOKENS.find((token) => token.chain === CHAIN && token.symbol === symbol)?.address ?? "";

/** A transaction can trade in several watched pools: the pool's number distinguishes its rows. */
const numberOf = (pool: string): number => Bun.hash.xxHash32(pool);

/**
 * A transaction's change of a pool as a trade of its fee payer; null for deposits, withdrawals,
 * transactions that moved a third token, and small ones.
 */
export function readPoolTrade(
  { change, signature, at_ms }: { readonly change: PoolChange; readonly signature: string; readonly at_ms: number },
  pool: TradePoolRow,
  native_usd: number | null,
): TradeRow | null {
  const { changes, signer, slot } = change;
  const sides = { token: changes.get(pool.token) ?? 0n, quote: changes.get(mintOf(pool.quote)) ?? 0n };
  const swap = changes.size === 2 ? valueSwap(sides, pool, native_usd) : null;
  return (
    swap && {
      chain: CHAIN,
      tx: signature,
      log_index: numberOf(pool.pool),
      pool: pool.pool,
      token: pool.token,
      wallet: signer,
      ...swap,
      block: slot,
      at_ms,
    }
  );
}

async function scanPool(context: JobContext, pool: TradePoolRow, native_usd: number | null): Promise<void> {
  const scans = context.table(tradePoolScans);
  const sample = await samplePool(
    context,
    pool.pool,
    await scans.first({ where: { pool: pool.pool }, order: ["-slot"] }),
  );
  if (!sample) return;
  const name = `${pool.symbol}/${pool.quote}`;
  const { end, listed, read, newest_ms: at_ms } = sample;
  await context.table(trades).put(read.flatMap((one) => readPoolTrade(one, pool, native_usd) ?? []));
  await scans.insert([{ pool: pool.pool, name, ...end, listed, read: read.length, at_ms }]);
  if (sample.is_cut) await note(context, `of ${name} more transactions came than a node lists; those are not counted`);
}

const note = (context: JobContext, what: string): Promise<void> =>
  context.table(tradeNotes).insert([{ chain: CHAIN, at_ms: context.now_ms, what }]);

/**
 * Reads a sample of the finalized trades in Solana's watched pools since the last run, by their signatures, batched. A
 * pool that cannot be read leaves a note and disturbs no other.
 * @throws UpstreamError when no pool can be read.
 */
export async function scanSolanaTrades(context: JobContext): Promise<void> {
  const pools = await currentPools(context, CHAIN);
  const native = await outcomeOf(fetchPoolPrice(context, { chain: CHAIN, token: NATIVE.solana.address }));
  const done = [];
  for (const pool of pools) done.push(await outcomeOf(scanPool(context, pool, native.ok ? native.value.price : null)));
  const faults = done.flatMap((one) => (one.ok ? [] : [one.error]));
  for (const [index, one] of done.entries()) {
    if (!one.ok) await note(context, `${pools[index]?.symbol}/${pools[index]?.quote}: ${describeScanFault(one.error)}`);
  }
  if (faults.length > 0 && faults.length === done.length) throw faults[0];
}
