import { createNoSuchSubject, type FetchContext, isNodeError, NodeError, outcomeOf, toNodeError } from "intel-node";
import { type DexPair, fetchTokenPairs, searchPairs } from "intel-node/providers/dexscreener/pairs";
import { ISSUER_TOKENS, TOKEN_CHAINS, type TokenChain } from "intel-node/providers/issuer-tokens";
import { ownPairs } from "../facts/profile.ts";
import { parseSubject, type Subject } from "../facts/subject.ts";

export const METHODS = ["address", "issuer_list", "search"] as const;

/** How a text became a token. */
export interface Resolution {
  readonly subject: Subject;
  readonly method: (typeof METHODS)[number];
  /** Tokens that bear the same symbol. */
  readonly candidates: number;
  /** Liquidity of the second deepest of them against the deepest; null without a second. */
  readonly runner_up_ratio: number | null;
}

export const AMBIGUOUS_RATIO = 0.5;
const ADDRESS = /^(0x[0-9a-fA-F]+|[1-9A-HJ-NP-Za-km-z]{32,44})$/;

const isChain = (chain: string): chain is TokenChain => TOKEN_CHAINS.some((one) => one === chain);
const depthOf = (pairs: readonly DexPair[]): number =>
  pairs.reduce((sum, { liquidity_usd }) => sum + (liquidity_usd ?? 0), 0);

/** A hex address can be a token on either chain: the one with the deeper pools is meant. */
async function resolveHex(context: FetchContext, address: string): Promise<Subject> {
  const subjects = (["base", "ethereum"] as const).map((chain) => parseSubject("token", address, chain));
  const found = await Promise.all(
    subjects.map((subject) => outcomeOf(fetchTokenPairs(context, { chain: subject.chain, tokens: [subject.address] }))),
  );
  const depths = found.map((pairs, index) => {
    const subject = subjects[index];
    return pairs.ok && subject ? depthOf(ownPairs(pairs.value, subject)) : -1;
  });
  const [on_base, on_ethereum] = subjects;
  if (!on_base || !on_ethereum) throw new NodeError("invalid_parameter", "no such chain");
  return (depths[1] ?? -1) > (depths[0] ?? -1) ? on_ethereum : on_base;
}

function chooseBySymbol(pairs: readonly DexPair[], symbol: string, chain: TokenChain | undefined): Resolution | null {
  const groups = new Map<string, { subject: Subject; depth: number }>();
  for (const pair of pairs) {
    if (pair.base.symbol.toLowerCase() !== symbol.toLowerCase() || !isChain(pair.chain)) continue;
    if (chain !== undefined && pair.chain !== chain) continue;
    const key = `${pair.chain} ${pair.base.address}`;
    const known = groups.get(key);
    try {
      const subject = known?.subject ?? parseSubject("token", pair.base.address, pair.chain);
      groups.set(key, { subject, depth: (known?.depth ?? 0) + (pair.liquidity_usd ?? 0) });
    } catch (error) {
      // A table's row can hold something other than an address, which must not pass.
      if (!isNodeError(error)) throw error;
    }
  }
  const sorted = [...groups.values()].sort((a, b) => b.depth - a.depth);
  const [deepest, second] = sorted;
  if (!deepest) return null;
  const runner_up_ratio = second && deepest.depth > 0 ? second.depth / deepest.depth : null;
  return { subject: deepest.subject, method: "search", candidates: sorted.length, runner_up_ratio };
}

/**
 * What a buyer's text means: an address, the symbol of an issuer's token, or the deepest token of that symbol.
 * @throws NodeError invalid_parameter, subject_not_found when no pool has such a token, upstream_unavailable.
 */
export async function resolveToken(context: FetchContext, text: string, chain?: TokenChain): Promise<Resolution> {
  const alone = { candidates: 1, runner_up_ratio: null };
  if (ADDRESS.test(text)) {
    const is_open = /^0x/.test(text) && chain === undefined;
    return {
      ...alone,
      method: "address",
      subject: is_open ? await resolveHex(context, text) : parseSubject("token", text, chain),
    };
  }
  const symbol = text.replace(/^\$/, "");
  const issued = ISSUER_TOKENS.find(
    (one) => one.symbol.toLowerCase() === symbol.toLowerCase() && (chain ?? one.chain) === one.chain,
  );
  if (issued) return { ...alone, method: "issuer_list", subject: parseSubject("token", issued.address, issued.chain) };
  const pairs = await outcomeOf(searchPairs(context, symbol));
  if (!pairs.ok) throw toNodeError([pairs.error], "a search for that symbol");
  const chosen = chooseBySymbol(pairs.value, symbol, chain);
  if (!chosen) {
    const known = ISSUER_TOKENS.map((one) => one.symbol);
    const about = { param: "token", got: text, known };
    throw createNoSuchSubject(`No pool on ${chain ?? "the chains known here"} has a token of that symbol.`, about);
  }
  return chosen;
}

/** Whether a text can be a token at all. */
export const normaliseToken = (token: string, chain: TokenChain | undefined): string =>
  ADDRESS.test(token.trim()) ? parseSubject("token", token, chain).address : token.trim();
