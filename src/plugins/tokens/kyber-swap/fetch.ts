import { type FetchContext, NodeError, type Outcome, outcomeOf, toNodeError } from "intel-node";
import { fetchTokenPairs } from "intel-node/providers/dexscreener/pairs";
import { dexscreener } from "intel-node/providers/dexscreener/provider";
import { fetchTokenPowers } from "intel-node/providers/evm-rpc/token-powers";
import { jupiter } from "intel-node/providers/jupiter/provider";
import { fetchMetisRoute } from "intel-node/providers/jupiter/route";
import { raydium } from "intel-node/providers/raydium/provider";
import { fetchRaydiumRoute } from "intel-node/providers/raydium/route";
import { fetchMintPowers } from "intel-node/providers/solana-rpc/token-mint";
import { config as settings } from "../config.ts";
import { ownPairs } from "../facts/profile.ts";
import { kyberswap } from "../providers/kyberswap/provider.ts";
import { fetchKyberQuote } from "../providers/kyberswap/route.ts";
import { fetchVeloraQuote } from "../providers/velora/prices.ts";
import { velora } from "../providers/velora/provider.ts";
import type { SwapPair, SwapSide } from "./pair.ts";
import { getNetOut, parseAmount, type SwapQuote, type SwapRequest } from "./quote.ts";

export interface SwapInputs {
  readonly read_at_ms: number;
  readonly pair: SwapPair;
  readonly request: SwapRequest;
  /** Best net output first. */
  readonly quotes: readonly SwapQuote[];
  readonly silent: readonly string[];
  /** US dollars per token, of the deepest pool. */
  readonly base_usd: number | null;
  readonly quote_usd: number | null;
  readonly back: bigint | null;
}

const DEFAULT_USD = 100;

const ENGINES = {
  raydium: { provider: raydium, fetchQuote: fetchRaydiumRoute },
  jupiter: { provider: jupiter, fetchQuote: fetchMetisRoute },
  kyberswap: { provider: kyberswap, fetchQuote: fetchKyberQuote },
  velora: { provider: velora, fetchQuote: fetchVeloraQuote },
} as const;
/** Services of a chain the operator has not left out, and whose terms he acknowledged where they ask for it. */
function listEngines(context: FetchContext, chain: string) {
  const named = context.config(settings).swap_engines;
  const of_chain = chain === "solana" ? [ENGINES.raydium, ENGINES.jupiter] : [ENGINES.kyberswap, ENGINES.velora];
  return of_chain.filter(({ provider }) => named.some((id) => id === provider.id) && context.usable(provider));
}

async function readDecimals(context: FetchContext, chain: string, { address, decimals }: SwapSide): Promise<number> {
  if (decimals !== null) return decimals;
  const none = () => new NodeError("subject_not_found", `There is no token at ${address} on ${chain}.`);
  if (chain === "solana") {
    const mint = await fetchMintPowers(context, address);
    if (mint.kind !== "mint") throw none();
    return mint.powers.decimals;
  }
  const powers = await fetchTokenPowers(context, { chain, token: address });
  if (!powers.has_code || powers.decimals === null) throw none();
  return powers.decimals;
}

async function readPrice(
  context: FetchContext,
  chain: SwapPair["chain"],
  { address }: SwapSide,
): Promise<number | null> {
  const pairs = await outcomeOf(fetchTokenPairs(context, { chain, tokens: [address] }));
  return pairs.ok
    ? (ownPairs(pairs.value, { chain, address }).find(({ price_usd }) => price_usd !== null)?.price_usd ?? null)
    : null;
}

/** About 100 US dollars worth, cut to a few places. */
function getDefaultAmount(base_usd: number | null, decimals: number): bigint {
  if (base_usd === null) {
    throw new NodeError(
      "upstream_unavailable",
      "No price of the base token to choose an amount with; name one. Nothing was charged.",
    );
  }
  const places = Math.min(decimals, 6);
  const amount = BigInt(Math.max(1, Math.round((DEFAULT_USD / base_usd) * 10 ** places)));
  return amount * 10n ** BigInt(decimals - places);
}

async function askAll(context: FetchContext, request: SwapRequest) {
  const engines = listEngines(context, request.chain);
  const outcomes: readonly Outcome<SwapQuote>[] = await Promise.all(
    engines.map(({ fetchQuote }) => outcomeOf(fetchQuote(context, request))),
  );
  return {
    quotes: outcomes.flatMap((one) => (one.ok ? [one.value] : [])),
    errors: outcomes.flatMap((one) => (one.ok ? [] : [one.error])),
    silent: engines.flatMap(({ provider }, index) => (outcomes[index]?.ok ? [] : [provider.id])),
  };
}

/** Quotes by every service of the chain at once, and one back again. @throws NodeError when no service has a route. */
export async function fetchSwap(
  context: FetchContext,
  pair: SwapPair,
  amount_text: string | undefined,
): Promise<SwapInputs> {
  const { chain, base, quote } = pair;
  const can_price = context.usable(dexscreener);
  const [decimals, base_usd, quote_usd] = await Promise.all([
    outcomeOf(Promise.all([readDecimals(context, chain, base), readDecimals(context, chain, quote)])),
    can_price ? readPrice(context, chain, base) : null,
    can_price ? readPrice(context, chain, quote) : null,
  ]);
  if (!decimals.ok)
    throw decimals.error instanceof NodeError ? decimals.error : toNodeError([decimals.error], "the token's decimals");
  const [decimals_in, decimals_out] = decimals.value;
  const named =
    amount_text === undefined ? getDefaultAmount(base_usd, decimals_in) : parseAmount(amount_text, decimals_in);
  if (named === null) {
    throw new NodeError("invalid_parameter", `"amount" has more than ${decimals_in} places, or is 0`, {
      details: { parameter: "amount", got: amount_text },
    });
  }
  const request: SwapRequest = {
    chain,
    from: base.address,
    to: quote.address,
    amount: named,
    decimals_in,
    decimals_out,
  };
  const { quotes, errors, silent } = await askAll(context, request);
  const net = (one: SwapQuote) => getNetOut(one, decimals_out, quote_usd);
  const [best, ...others] = [...quotes].sort((a, b) => net(b) - net(a));
  if (!best) throw toNodeError(errors, "a route between these tokens");
  const turned = {
    ...request,
    from: request.to,
    to: request.from,
    amount: best.amount_out,
    decimals_in: decimals_out,
    decimals_out: decimals_in,
  };
  const engine = Object.values(ENGINES).find(({ provider }) => provider.id === best.provider);
  const back = engine ? await outcomeOf(engine.fetchQuote(context, turned)) : null;
  return {
    read_at_ms: context.now_ms,
    pair,
    request,
    quotes: [best, ...others],
    silent,
    base_usd,
    quote_usd,
    back: back?.ok ? back.value.amount_out : null,
  };
}
