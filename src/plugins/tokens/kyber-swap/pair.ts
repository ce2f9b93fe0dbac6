import { getOwn, NodeError } from "intel-node";
import { findIssuerToken, ISSUER_TOKENS, TOKEN_CHAINS, type TokenChain } from "intel-node/providers/issuer-tokens";
import { parseSubject } from "../facts/subject.ts";

export interface SwapSide {
  readonly address: string;
  /** Null of an address that is in no list. */
  readonly symbol: string | null;
  /** Null where the chain has to say. */
  readonly decimals: number | null;
}

export interface SwapPair {
  readonly chain: TokenChain;
  readonly base: SwapSide;
  readonly quote: SwapSide;
}

/** Names people use for a listed token. */
const ALIASES: Readonly<Record<string, string>> = { ETH: "WETH", WSOL: "SOL", BTC: "CBBTC" };
const SEPARATOR = /[/_-]/;
const refuse = (got: string, why: string, more = {}) =>
  new NodeError("invalid_parameter", `"pair" ${why}`, {
    details: { parameter: "pair", got: got.slice(0, 120), ...more },
  });

const isHex = (text: string): boolean => /^0x/i.test(text);
const isMint = (text: string): boolean => /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text);

/** SOL and base58 sides are of Solana, all else of Base unless the buyer names a chain. */
function chooseChain(sides: readonly string[], chain: TokenChain | undefined): TokenChain {
  if (chain !== undefined) return chain;
  return sides.some((side) => isMint(side) || /^w?sol$/i.test(side)) ? "solana" : "base";
}

function readSide(text: string, chain: TokenChain, pair: string): SwapSide {
  if (isHex(text) || isMint(text)) {
    const { address } = parseSubject("pair", text, chain);
    const issued = findIssuerToken(chain, address);
    return { address, symbol: issued?.symbol ?? null, decimals: issued?.decimals ?? null };
  }
  const symbol = getOwn(ALIASES, text.toUpperCase()) ?? text;
  const issued = ISSUER_TOKENS.find(
    (token) => token.chain === chain && token.symbol.toUpperCase() === symbol.toUpperCase(),
  );
  if (issued) return { address: issued.address, symbol: issued.symbol, decimals: issued.decimals };
  const allowed = ISSUER_TOKENS.filter((token) => token.chain === chain).map((token) => token.symbol);
  throw refuse(pair, `has no token ${text.slice(0, 20)} on ${chain}: name its address, symbols are not guessed`, {
    allowed,
  });
}

/** @throws NodeError invalid_parameter for anything that is not two known tokens of one chain. */
export function parseSwapPair(pair: string, chain?: TokenChain): SwapPair {
  const [base = "", quote = "", ...rest] = pair.trim().split(SEPARATOR);
  if (base === "" || quote === "" || rest.length > 0) throw refuse(pair, "is not BASE/QUOTE");
  const on = chooseChain([base, quote], chain);
  const sides = { base: readSide(base, on, pair), quote: readSide(quote, on, pair) };
  if (sides.base.address === sides.quote.address) throw refuse(pair, "names one token twice");
  return { chain: on, ...sides };
}

/** One way to write a pair. */
export const renderSwapPair = ({ base, quote }: SwapPair): string =>
  `${base.symbol ?? base.address}/${quote.symbol ?? quote.address}`;
export const SWAP_CHAINS = TOKEN_CHAINS;
