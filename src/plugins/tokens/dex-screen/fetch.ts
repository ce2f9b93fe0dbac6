import { type FetchContext, NodeError, outcomeOf, toNodeError } from "intel-node";
import { type DexPair, fetchTokenPairs, searchPairs } from "intel-node/providers/dexscreener/pairs";
import { ISSUER_TOKENS, TOKEN_CHAINS } from "intel-node/providers/issuer-tokens";
import { SCREENED_CHAINS } from "./schema.ts";

export interface DexScreenInputs {
  readonly read_at_ms: number;
  readonly pairs: readonly DexPair[];
  /** Chains that were asked and did not answer. */
  readonly silent: readonly string[];
}

const REFERENCE = ["SOL", "WETH", "USDC", "USDT", "cbBTC"];
const isAddressText = (text: string): boolean => /^(0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$/.test(text);

async function fetchChains(context: FetchContext, asked: readonly { chain: string; tokens: readonly string[] }[]) {
  const lists = await Promise.all(asked.map((one) => outcomeOf(fetchTokenPairs(context, one))));
  const errors = lists.flatMap((list) => (list.ok ? [] : [list.error]));
  if (errors.length === lists.length) throw toNodeError(errors, "the tables of pools");
  return {
    pairs: lists.flatMap((list) => (list.ok ? list.value : [])),
    silent: asked.flatMap(({ chain }, index) => (lists[index]?.ok ? [] : [chain])),
  };
}

/** An address is looked up as a token on each chain it can be of; failing that the search finds pools. */
async function fetchByAddress(context: FetchContext, address: string, chain: string | undefined) {
  const possible = address.startsWith("0x") ? SCREENED_CHAINS.filter((one) => one !== "solana") : (["solana"] as const);
  const chains = possible.filter((one) => chain === undefined || one === chain);
  if (chains.length === 0) throw new NodeError("subject_not_found", `An address of that form is not on ${chain}.`);
  const found = await fetchChains(
    context,
    chains.map((one) => ({ chain: one, tokens: [address] })),
  );
  return found.pairs.length > 0 ? found : { ...found, pairs: await searchPairs(context, address) };
}

/** @throws NodeError subject_not_found when no pool goes with the query. */
export async function fetchDexScreen(
  context: FetchContext,
  { query, chain }: { readonly query?: string; readonly chain?: string },
): Promise<DexScreenInputs> {
  const { now_ms: read_at_ms } = context;
  const search = async (text: string) => {
    const found = await outcomeOf(searchPairs(context, text));
    if (!found.ok) throw toNodeError([found.error], "the search for pools");
    return { pairs: found.value, silent: [] };
  };
  const reference = async () => {
    const listed = await fetchChains(
      context,
      TOKEN_CHAINS.filter((one) => chain === undefined || one === chain).map((one) => ({
        chain: one,
        tokens: ISSUER_TOKENS.filter((token) => token.chain === one && REFERENCE.includes(token.symbol)).map(
          ({ address }) => address,
        ),
      })),
    );
    // Everybody trades these: a list without any of them is not usable.
    if (listed.pairs.length > 0) return listed;
    throw new NodeError("upstream_bad_response", "The tables of pools list no pool of the best known tokens.");
  };
  if (query === undefined && chain !== undefined && !TOKEN_CHAINS.some((one) => one === chain)) {
    throw new NodeError("invalid_parameter", `"chain" ${chain} needs a query`, {
      details: { parameter: "chain", got: chain },
    });
  }
  const found =
    query === undefined
      ? await reference()
      : isAddressText(query)
        ? await fetchByAddress(context, query, chain)
        : await search(query);
  return { read_at_ms, ...found };
}
