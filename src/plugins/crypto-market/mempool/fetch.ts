import type { FetchContext } from "../../../catalog/context.ts";
import { type Outcome, outcomeOf } from "../../../catalog/failover.ts";
import { UpstreamError } from "../../../core/errors.ts";
import type { BitcoinBacklog } from "../../../upstream/providers/bitcoin-mempool.ts";
import { bitstamp } from "../../../upstream/providers/bitstamp/provider.ts";
import { fetchBitstampQuote } from "../../../upstream/providers/bitstamp/ticker.ts";
import { type FeeHistory, fetchFeeHistory } from "../../../upstream/providers/evm-rpc/fee-history.ts";
import { evmRpc } from "../../../upstream/providers/evm-rpc/provider.ts";
import { fetchKrakenQuote } from "../../../upstream/providers/kraken/depth.ts";
import { kraken } from "../../../upstream/providers/kraken/provider.ts";
import { type Difficulty, fetchDifficulty, fetchHashrate } from "../../../upstream/providers/mempool-space/mining.ts";
import {
  fetchProjectedBlocks,
  type ProjectedBlock,
} from "../../../upstream/providers/mempool-space/projected-blocks.ts";
import { mempoolSpace } from "../../../upstream/providers/mempool-space/provider.ts";
import { getMid, type Quote } from "../../../upstream/providers/quote.ts";
import { fetchPrioritizationFees } from "../../../upstream/providers/solana-rpc/prioritization-fees.ts";
import { solanaRpc } from "../../../upstream/providers/solana-rpc/provider.ts";
import { BITCOIN_NODES, fetchNode, type NodeReading } from "../shared/bitcoin/nodes.ts";
import { readFeeSamples } from "../shared/bitcoin/stored-fees.ts";

/** Shares of each block's gas at which its tips are read, percent. */
export const TIP_PERCENTILES = [25, 50, 75] as const;

export interface MempoolInputs {
  readonly read_at_ms: number;
  readonly bitcoin: NodeReading & {
    readonly backlog: Outcome<BitcoinBacklog>;
    /** Fastest fee rates this node sampled from the same provider, sat/vB. */
    readonly samples: readonly number[];
  };
  readonly projected_blocks: Outcome<readonly ProjectedBlock[]>;
  readonly difficulty: Outcome<Difficulty>;
  readonly hashrate: Outcome<number>;
  readonly ethereum: Outcome<FeeHistory>;
  readonly base: Outcome<FeeHistory>;
  /** Micro-lamports per compute unit, one per slot. */
  readonly solana: Outcome<readonly number[]>;
  /** US dollars. */
  readonly prices: Readonly<Record<"BTC" | "ETH" | "SOL", Outcome<number>>>;
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
        return { ...reading, backlog, samples: await readFeeSamples(context, reading.provider) };
      },
    })),
  );
}

/** @throws UpstreamError when the quote is old. */
async function readPrice(context: FetchContext, provider: string, fetching: Promise<Quote>): Promise<number> {
  const quote = await fetching;
  if (quote.at_ms !== null && context.now_ms - quote.at_ms > QUOTE_AGE_MAX_MS) {
    throw new UpstreamError("upstream_bad_response", provider, `${provider}: the quote is older than 2 minutes`);
  }
  return getMid(quote);
}

const fetchPrice = (context: FetchContext, symbol: string): Promise<Outcome<number>> =>
  outcomeOf(
    context.first(`price of ${symbol}`, [
      {
        provider: kraken,
        run: () => readPrice(context, kraken.id, fetchKrakenQuote(context, symbol, QUOTE_TIMEOUT_MS)),
      },
      {
        provider: bitstamp,
        run: () => readPrice(context, bitstamp.id, fetchBitstampQuote(context, symbol, QUOTE_TIMEOUT_MS)),
      },
    ]),
  );

/** Everything at once; only Bitcoin's fees are essential. */
export async function fetchMempool(context: FetchContext): Promise<MempoolInputs> {
  const fetchFees = (chain: string) =>
    outcomeOf(
      context.first(chain, [
        { provider: evmRpc, run: () => fetchFeeHistory(context, { chain, percentiles: TIP_PERCENTILES }) },
      ]),
    );
  const askMempoolSpace = <T>(what: string, run: () => Promise<T>) =>
    outcomeOf(context.first(what, [{ provider: mempoolSpace, run }]));
  const [bitcoin, projected_blocks, difficulty, hashrate, ethereum, base, solana, btc_usd, eth_usd, sol_usd] =
    await Promise.all([
      fetchBitcoin(context),
      askMempoolSpace("projected blocks", () => fetchProjectedBlocks(context)),
      askMempoolSpace("difficulty", () => fetchDifficulty(context)),
      askMempoolSpace("hash rate", () => fetchHashrate(context)),
      fetchFees("ethereum"),
      fetchFees("base"),
      outcomeOf(context.first("solana", [{ provider: solanaRpc, run: () => fetchPrioritizationFees(context) }])),
      fetchPrice(context, "BTC"),
      fetchPrice(context, "ETH"),
      fetchPrice(context, "SOL"),
    ]);
  const prices = { BTC: btc_usd, ETH: eth_usd, SOL: sol_usd };
  return {
    read_at_ms: context.now_ms,
    bitcoin,
    projected_blocks,
    difficulty,
    hashrate,
    ethereum,
    base,
    solana,
    prices,
  };
}
