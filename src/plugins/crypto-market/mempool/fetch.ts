import { type FetchContext, type Outcome, outcomeOf, UpstreamError } from "intel-node";
import type { BitcoinBacklog } from "intel-node/providers/bitcoin-mempool";
import { bitstamp } from "intel-node/providers/bitstamp/provider";
import { fetchBitstampQuote } from "intel-node/providers/bitstamp/ticker";
import { type FeeHistory, fetchFeeHistory } from "intel-node/providers/evm-rpc/fee-history";
import { evmRpc } from "intel-node/providers/evm-rpc/provider";
import { fetchKrakenQuote } from "intel-node/providers/kraken/depth";
import { kraken } from "intel-node/providers/kraken/provider";
import { type Difficulty, fetchDifficulty, fetchHashrate } from "intel-node/providers/mempool-space/mining";
import { fetchProjectedBlocks, type ProjectedBlock } from "intel-node/providers/mempool-space/projected-blocks";
import { mempoolSpace } from "intel-node/providers/mempool-space/provider";
import { getMid, type SpotQuote } from "intel-node/providers/quote";
import { fetchPrioritizationFees } from "intel-node/providers/solana-rpc/prioritization-fees";
import { solanaRpc } from "intel-node/providers/solana-rpc/provider";
import { BITCOIN_NODES, fetchNode, type NodeReading } from "../bitcoin/nodes.ts";
import { type FeeSample, readFeeSamples } from "../bitcoin/stored-fees.ts";

/** Shares of each block's gas at which its tips are read, percent. */
export const TIP_PERCENTILES = [25, 50, 75] as const;

export interface MempoolInputs {
  readonly read_at_ms: number;
  readonly bitcoin: NodeReading & {
    readonly backlog: Outcome<BitcoinBacklog>;
    /** Fastest fee rates this node sampled from the same provider, sat/vB. */
    readonly sampled: readonly FeeSample[];
  };
  readonly projected_blocks: readonly ProjectedBlock[] | null;
  readonly difficulty: Difficulty | null;
  readonly hashrate: number | null;
  readonly ethereum: FeeHistory | null;
  readonly base: FeeHistory | null;
  /** Micro-lamports per compute unit, one per slot. */
  readonly solana: readonly number[] | null;
  /** US dollars. */
  readonly btc_usd: number | null;
  readonly eth_usd: number | null;
  readonly sol_usd: number | null;
  /** Of what is missing of the chains and prices. */
  readonly warnings: readonly string[];
}

/** Costs change little within a minute; an older price than this would be misleading. */
const QUOTE_AGE_MAX_MS = 120_000;
/** Costs in US dollars are an extra: slow venues must not hold up the fees. */
const QUOTE_TIMEOUT_MS = 1_500;

/** @throws NodeError when no usable provider has current fees. */
async function fetchBitcoin(context: FetchContext): Promise<MempoolInputs["bitcoin"]> {
  return context.first(
    "mempool",
    BITCOIN_NODES.map((node) => ({
      provider: node.provider,
      run: async () => {
        const [reading, backlog] = await Promise.all([fetchNode(context, node), outcomeOf(node.fetchBacklog(context))]);
        return { ...reading, backlog, sampled: await readFeeSamples(context, reading.provider) };
      },
    })),
  );
}

/** @throws UpstreamError when the quote is old. */
async function readPrice(context: FetchContext, provider: string, fetching: Promise<SpotQuote>): Promise<number> {
  const quote = await fetching;
  if (quote.at_ms !== null && context.now_ms - quote.at_ms > QUOTE_AGE_MAX_MS) {
    throw new UpstreamError("upstream_bad_response", provider, `${provider}: the quote is older than 2 minutes`);
  }
  return getMid(quote);
}

/** Where a coin's price is asked for, and which fields lack it otherwise. */
const priceOf = (context: FetchContext, symbol: "BTC" | "ETH" | "SOL") => ({
  attempts: [
    { provider: kraken, run: () => readPrice(context, kraken.id, fetchKrakenQuote(context, symbol, QUOTE_TIMEOUT_MS)) },
    {
      provider: bitstamp,
      run: () => readPrice(context, bitstamp.id, fetchBitstampQuote(context, symbol, QUOTE_TIMEOUT_MS)),
    },
  ],
});

const feesOf = (context: FetchContext, chain: string) => ({
  because: "no node could be read",
  attempts: [{ provider: evmRpc, run: () => fetchFeeHistory(context, { chain, percentiles: TIP_PERCENTILES }) }],
});

/** What only mempool.space gives. Its warnings depend on who served the fees, so that they are `compute`'s. */
const fetchDetails = (context: FetchContext) =>
  context.each({
    projected_blocks: { attempts: [{ provider: mempoolSpace, run: () => fetchProjectedBlocks(context) }] },
    difficulty: { attempts: [{ provider: mempoolSpace, run: () => fetchDifficulty(context) }] },
    hashrate: { attempts: [{ provider: mempoolSpace, run: () => fetchHashrate(context) }] },
  });

const fetchChains = (context: FetchContext) =>
  context.each({
    btc_usd: { ...priceOf(context, "BTC"), field: "btc.transfer_cost.usd", because: "no price of BTC" },
    ethereum: feesOf(context, "ethereum"),
    base: feesOf(context, "base"),
    eth_usd: {
      ...priceOf(context, "ETH"),
      field: "ethereum, base",
      because: "costs in US dollars lack a price of ETH",
    },
    solana: {
      because: "no node could be read",
      attempts: [{ provider: solanaRpc, run: () => fetchPrioritizationFees(context) }],
    },
    sol_usd: { ...priceOf(context, "SOL"), field: "solana.transfer_usd", because: "no price of SOL" },
  });

/** Everything at once; only Bitcoin's fees are essential. */
export async function fetchMempool(context: FetchContext): Promise<MempoolInputs> {
  const [bitcoin, details, chains] = await Promise.all([
    fetchBitcoin(context),
    fetchDetails(context),
    fetchChains(context),
  ]);
  return { read_at_ms: context.now_ms, bitcoin, ...details.values, ...chains.values, warnings: chains.warnings };
}
