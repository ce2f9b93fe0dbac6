import { type JobContext, outcomeOf } from "intel-node";
import { readAddress, readSender } from "intel-node/providers/bitcoin-address";
import type { BitcoinBlock, BitcoinTransaction } from "intel-node/providers/bitcoin-block";
import {
  BITCOIN_EXPLORERS,
  type BitcoinChain,
  fetchBitcoinBlock,
  fetchBitcoinChain,
} from "intel-node/providers/bitcoin-blocks";
import { fetchPoolPrice } from "intel-node/providers/dexscreener/pool-price";
import { ISSUER_TOKENS } from "intel-node/providers/issuer-tokens";
import { createTransferBook, Disagreement, takeBack } from "./blocks.ts";
import { getStretch, STORED_MIN_USD } from "./chains.ts";
import { scans, type TransferRow, transfers } from "./tables.ts";

const CHAIN = "bitcoin";
const SATS = 100_000_000;

/** The one address all inputs spend from; empty where they show several, or one of them shows none. */
function getOneSender(senders: readonly (string | null)[]): string {
  const [first, ...others] = new Set(senders);
  return first && others.length === 0 ? first : "";
}

/**
 * A transaction as one movement: its largest output that does not pay back an address it spends from. What goes to a
 * fresh address of the sender looks like a payment; the total is shown beside it.
 * @param usd US dollars per bitcoin.
 */
export function readMovement({ txid, is_coinbase, inputs, outputs }: BitcoinTransaction, usd: number) {
  const total = outputs.reduce((sum, { sats }) => sum + sats, 0);
  const worth = (sats: number): number => (sats / SATS) * usd;
  // A block's own reward moves nothing, and most transactions are too small to look into.
  if (is_coinbase || worth(total) < STORED_MIN_USD) return null;
  const senders = inputs.map(readSender);
  const paid = outputs
    .map(({ sats, script }, log_index) => ({ sats, log_index, to: readAddress(script) ?? "" }))
    .filter(({ to }) => !senders.includes(to));
  const [largest] = paid.toSorted((a, b) => b.sats - a.sats);
  if (!largest || worth(largest.sats) < STORED_MIN_USD) return null;
  const { sats, log_index, to } = largest;
  return {
    chain: CHAIN,
    tx: txid,
    log_index,
    token: "BTC",
    asset: "BTC",
    from: getOneSender(senders),
    to,
    amount: String(sats),
    usd: worth(sats),
    total_usd: worth(total),
  };
}

const listMovements = (block: BitcoinBlock, height: number, { usd, at_ms }: { usd: number; at_ms: number }) =>
  block.transactions.flatMap((transaction): readonly TransferRow[] => {
    const read = readMovement(transaction, usd);
    return read ? [{ ...read, block: height, block_hash: block.hash, at_ms }] : [];
  });

/** A bitcoin's price where wrapped ones are traded. @throws UpstreamError */
async function readPrice(context: JobContext): Promise<number> {
  const wrapped = ISSUER_TOKENS.find(({ chain, symbol }) => chain === "ethereum" && symbol === "cbBTC")?.address ?? "";
  return (await fetchPoolPrice(context, { chain: "ethereum", token: wrapped })).price;
}

/** What explorers list; those that answered, in their order. @throws UpstreamError when none does. */
async function readChains(context: JobContext): Promise<readonly [BitcoinChain, ...BitcoinChain[]]> {
  const asked = BITCOIN_EXPLORERS.filter(({ provider }) => context.usable(provider));
  const read = await Promise.all(asked.map((one) => outcomeOf(fetchBitcoinChain(context, one))));
  const [first, ...others] = read.flatMap((one) => (one.ok ? [one.value] : []));
  if (first) return [first, ...others];
  const [failed] = read;
  throw failed && !failed.ok ? failed.error : new Disagreement("no explorer may be asked");
}

/** A block from whichever explorer has it: its bytes prove themselves. */
const readBlock = (context: JobContext, hash: string): Promise<BitcoinBlock> =>
  context.first(
    "bitcoin block",
    BITCOIN_EXPLORERS.map((explorer) => ({
      provider: explorer.provider,
      run: () => fetchBitcoinBlock(context, explorer, hash),
    })),
  );

/**
 * Reads the blocks since the last scan, each whole or not at all; those the explorers name differently wait.
 * @throws UpstreamError, NodeError or Disagreement; blocks read until then are stored.
 */
export async function scanBitcoin(context: JobContext): Promise<void> {
  const [chain, ...others] = await readChains(context);
  const last = await takeBack(createTransferBook(context, CHAIN), async (height) => chain.hashes.get(height) ?? null);
  const stretch = getStretch(CHAIN, chain.height, last?.to_block);
  if (!stretch) return;
  const usd = await readPrice(context);
  for (let height = stretch.from_block; height <= stretch.to_block; height += 1) {
    const hash = chain.hashes.get(height);
    if (hash === undefined) throw new Disagreement(`no explorer lists block ${height}`);
    if (others.some(({ hashes }) => hashes.has(height) && hashes.get(height) !== hash)) {
      throw new Disagreement(`two explorers name different blocks ${height}`);
    }
    const block = await readBlock(context, hash);
    // A miner's clock can be two hours ahead.
    const at_ms = Math.min(block.at_ms, context.now_ms);
    await context.table(transfers).put(listMovements(block, height, { usd, at_ms }));
    const scan = { chain: CHAIN, from_block: height, to_block: height, to_hash: hash, at_ms };
    await context.table(scans).insert([scan]);
  }
}
