import { type JobContext, outcomeOf } from "intel-node";
import { NATIVE } from "intel-node/providers/dex-tokens";
import { fetchPoolPrice } from "intel-node/providers/dexscreener/pool-price";
import { type EvmLog, fetchLogs } from "intel-node/providers/evm-rpc/logs";
import { ISSUER_TOKENS, type IssuerToken } from "intel-node/providers/issuer-tokens";
import { readAgreedHash } from "./agreed-hash.ts";
import { createTransferBook } from "./blocks.ts";
import { type ScannedChain, STORED_MIN_USD } from "./chains.ts";
import { openNextBlocks } from "./next-blocks.ts";
import { scans, type TransferRow, transfers } from "./tables.ts";

export const TRANSFER_TOPIC = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const STABLE = ["USDC", "USDT", "DAI"];
const WATCHED = [...STABLE, "WETH", "WBTC", "cbBTC"];
const watchedTokens = (chain: ScannedChain): readonly IssuerToken[] =>
  ISSUER_TOKENS.filter((token) => token.chain === chain && WATCHED.includes(token.symbol));

/** US dollars per token: stablecoins count at 1; null without a price of the others. */
async function readPrices(context: JobContext, chain: ScannedChain): Promise<ReadonlyMap<string, number>> {
  const of = async (token: string) => {
    const read = await outcomeOf(fetchPoolPrice(context, { chain, token }));
    return read.ok ? read.value.price : null;
  };
  const cbbtc = ISSUER_TOKENS.find((token) => token.chain === chain && token.symbol === "cbBTC")?.address ?? "";
  const [eth, btc] = await Promise.all([of(NATIVE[chain].address), of(cbbtc)]);
  const rows = [["WETH", eth], ["cbBTC", btc], ["WBTC", btc], ...STABLE.map((symbol) => [symbol, 1] as const)] as const;
  return new Map(rows.flatMap(([symbol, price]) => (price === null ? [] : [[symbol, price] as const])));
}

const addressOf = (topic: string): string => `0x${topic.slice(-40)}`;

/** A log as a transfer; null for one of another shape, or below what is stored. */
export function readTransfer(log: EvmLog, token: IssuerToken | undefined, price: number | undefined) {
  const [, from, to] = log.topics;
  if (!token || price === undefined || !from || !to || log.data.length !== 66) return null;
  const amount = BigInt(log.data);
  const usd = (Number(amount) / 10 ** token.decimals) * price;
  if (!(usd >= STORED_MIN_USD)) return null;
  return {
    asset: token.symbol,
    token: token.address,
    from: addressOf(from),
    to: addressOf(to),
    amount: String(amount),
    usd,
  };
}

/**
 * Reads the blocks since the last scan that are deep enough, at most a stretch; what is left out is a gap.
 * @throws UpstreamError or Disagreement; nothing is stored then.
 */
export async function scanChain(context: JobContext, chain: ScannedChain): Promise<void> {
  const next = await openNextBlocks(context, chain, createTransferBook(context, chain));
  if (!next) return;
  const { head, ...stretch } = next;
  const tokens = watchedTokens(chain);
  const [to_hash, prices, logs] = await Promise.all([
    readAgreedHash(context, chain, stretch.to_block),
    readPrices(context, chain),
    fetchLogs(context, {
      chain,
      address: tokens.map(({ address }) => address),
      topics: [TRANSFER_TOPIC],
      ...stretch,
      span: 10,
    }),
  ]);
  const by_address = new Map(tokens.map((token) => [token.address.toLowerCase(), token]));
  const rows = logs.flatMap((log): readonly TransferRow[] => {
    const token = by_address.get(log.address);
    const read = readTransfer(log, token, token && prices.get(token.symbol));
    const { block_number: block, block_hash, transaction_hash: tx, log_index } = log;
    return read ? [{ ...read, chain, tx, log_index, block, block_hash, total_usd: null, at_ms: head.at_ms }] : [];
  });
  for (let at = 0; at < rows.length; at += 5_000) await context.table(transfers).put(rows.slice(at, at + 5_000));
  await context.table(scans).insert([{ chain, ...stretch, to_hash, at_ms: head.at_ms }]);
}
