import { Type } from "@sinclair/typebox";
import { type JobContext, outcomeOf } from "intel-node";
import { fetchRPCBatch } from "intel-node/chains";
import { NATIVE } from "intel-node/providers/dex-tokens";
import { fetchPoolPrice } from "intel-node/providers/dexscreener/pool-price";
import { fetchLogs } from "intel-node/providers/evm-rpc/logs";
import { evmRpc } from "intel-node/providers/evm-rpc/provider";
import { readAgreedHash } from "../whales/agreed-hash.ts";
import { SCANNED, type ScannedChain } from "../whales/chains.ts";
import { openNextBlocks } from "../whales/next-blocks.ts";
import { currentPools } from "./pools.ts";
import { readSwap, SWAP_TOPICS } from "./swaps.ts";
import { type TradeRow, tradeScans, trades } from "./tables.ts";
import { createTradeBook } from "./trade-book.ts";

/** Transactions whose sender is asked for, by span of blocks; blocks beyond are left for the next run. */
const SENDERS_MAX = 500;
const SENDERS_PER_CALL = 100;
const Sender = Type.Object({
  hash: Type.String({ pattern: "^0x[0-9a-f]{64}$" }),
  from: Type.String({ pattern: "^0x[0-9a-fA-F]{40}$" }),
});

type Unsigned = Omit<TradeRow, "wallet">;

/** The last block up to which all senders can be asked for; at least the first one, whole. */
export function getLastWhole(swaps: readonly Pick<Unsigned, "tx" | "block">[], to_block: number, most: number): number {
  const seen = new Set<string>();
  for (const { tx, block } of swaps) {
    seen.add(tx);
    if (seen.size > most) return Math.max(swaps[0]?.block ?? to_block, block - 1);
  }
  return to_block;
}

/** The signer of each transaction. @throws UpstreamError when one is missing: then nothing is stored. */
export async function fetchSenders(context: Pick<JobContext, "get">, chain: ScannedChain, hashes: readonly string[]) {
  const asked = await fetchRPCBatch(context, evmRpc, {
    chain,
    method: "eth_getTransactionByHash",
    calls: hashes.map((hash) => [hash]),
    result: Sender,
    ttl_ms: 0,
    batch_max: SENDERS_PER_CALL,
    read: (transaction: { hash: string; from: string }) => transaction,
  });
  const senders = new Map<string, string>();
  for (const [index, one] of asked.entries()) {
    if (!one.ok) throw one.error;
    senders.set(hashes[index] ?? "", one.value.from.toLowerCase());
  }
  return senders;
}

/**
 * Reads the swaps of the chosen pools since the last scan, as deep as their chain's confirmations: whole blocks or
 * nothing, each log once; what left the chain since is taken back first.
 * @throws UpstreamError or Disagreement; what was not stored is read again by the next run.
 */
export async function scanTrades(context: JobContext, chain: ScannedChain): Promise<void> {
  const next = await openNextBlocks(context, chain, createTradeBook(context, chain));
  if (!next) return;
  const { head, ...stretch } = next;
  const pools = await currentPools(context, chain);
  if (pools.length === 0) return;
  const [native, logs] = await Promise.all([
    outcomeOf(fetchPoolPrice(context, { chain, token: NATIVE[chain].address })),
    fetchLogs(context, {
      chain,
      address: pools.map(({ pool }) => pool),
      topics: [[...SWAP_TOPICS.in_out, ...SWAP_TOPICS.signed]],
      ...stretch,
      span: 50,
    }),
  ]);
  const by_address = new Map(pools.map((pool) => [pool.pool, pool]));
  const swaps = logs.flatMap((log): readonly Unsigned[] => {
    const pool = by_address.get(log.address);
    const swap = pool && readSwap(log, pool, native.ok ? native.value.price : null);
    const { transaction_hash: tx, log_index, block_number: block } = log;
    return swap
      ? [{ chain, tx, log_index, pool: pool.pool, token: pool.token, ...swap, block, at_ms: head.at_ms }]
      : [];
  });
  const spans = Math.ceil((stretch.to_block - stretch.from_block + 1) / SCANNED[chain].span);
  const to_block = getLastWhole(swaps, stretch.to_block, SENDERS_MAX * spans);
  const whole = swaps.filter(({ block }) => block <= to_block);
  const [senders, to_hash] = await Promise.all([
    fetchSenders(context, chain, [...new Set(whole.map(({ tx }) => tx))]),
    readAgreedHash(context, chain, to_block),
  ]);
  const rows = whole.map((swap): TradeRow => ({ ...swap, wallet: senders.get(swap.tx) ?? "" }));
  for (let at = 0; at < rows.length; at += 5_000) await context.table(trades).put(rows.slice(at, at + 5_000));
  const scan = { chain, from_block: stretch.from_block, to_block, to_hash, pools: pools.length, at_ms: head.at_ms };
  await context.table(tradeScans).insert([scan]);
}
