import { type JobContext, outcomeOf } from "intel-node";
import { NATIVE } from "intel-node/providers/dex-tokens";
import { fetchPoolPrice } from "intel-node/providers/dexscreener/pool-price";
import { fetchHead } from "intel-node/providers/evm-rpc/head";
import { type EvmLog, fetchLogs } from "intel-node/providers/evm-rpc/logs";
import { ISSUER_TOKENS, type IssuerToken } from "intel-node/providers/issuer-tokens";
import { scans, type TransferRow, transfers } from "./tables.ts";

export const TRANSFER_TOPIC = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
/** Least that is stored, US dollars. */
export const STORED_MIN_USD = 100_000;

/**
 * Chains that are scanned. Blocks nearer to the head than `confirmations` are left for the next run: a reorganisation
 * of fewer blocks changes nothing that was stored.
 */
export const SCANNED = {
  ethereum: { confirmations: 12, span: 25, block_s: 12 },
  base: { confirmations: 60, span: 150, block_s: 2 },
} as const;
export type ScannedChain = keyof typeof SCANNED;
export const SCANNED_CHAINS = Object.keys(SCANNED) as readonly ScannedChain[];

const STABLE = ["USDC", "USDT", "DAI"];
const WATCHED = [...STABLE, "WETH", "WBTC", "cbBTC"];
const watchedTokens = (chain: ScannedChain): readonly IssuerToken[] =>
  ISSUER_TOKENS.filter((token) => token.chain === chain && WATCHED.includes(token.symbol));

/** US dollars per token: stablecoins count at 1; null where nobody prices the others. */
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

/** The blocks since the last scan that are deep enough, at most a span; null when there are none yet. */
export function getStretch(chain: ScannedChain, head: number, last_block = 0) {
  const { confirmations, span } = SCANNED[chain];
  const to_block = head - confirmations;
  const from_block = Math.max(last_block + 1, to_block - span + 1);
  return from_block > to_block ? null : { from_block, to_block };
}

/** Reads the blocks since the last scan that are deep enough, at most a stretch; what is left out is a gap. @throws */
export async function scanChain(context: JobContext, chain: ScannedChain): Promise<void> {
  const head = await fetchHead(context, chain);
  const last = await context.table(scans).first({ where: { chain }, order: ["-to_block"] });
  const stretch = getStretch(chain, head.block, last?.to_block);
  if (!stretch) return;
  const tokens = watchedTokens(chain);
  const [prices, logs] = await Promise.all([
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
    return read ? [{ ...read, chain, tx, log_index, block, block_hash, at_ms: head.at_ms }] : [];
  });
  for (let at = 0; at < rows.length; at += 5_000) await context.table(transfers).put(rows.slice(at, at + 5_000));
  await context.table(scans).insert([{ chain, ...stretch, at_ms: head.at_ms }]);
}
