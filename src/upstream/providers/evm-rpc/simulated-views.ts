import type { SimulatedWorld } from "../../../catalog/simulator.ts";
import { findSimulatedToken, getSimulatedSwap, isDexChain } from "../simulated-dex.ts";
import { DECIMALS } from "./chainlink-feeds.ts";
import { AGGREGATE, BLOCK_TIME, encodeWord, MULTICALL } from "./multicall.ts";
import { QUOTE_EXACT_INPUT, QUOTERS } from "./uniswap-quoter.ts";

const SELECTOR_CHARS = 10;
const VIEWS_MAX = 100;
const GAS = 110_000;
/** Pools by fee in hundredths of a basis point: the cheapest does not exist, the dearest is thin. */
const THINNESS: Readonly<Record<number, number>> = { 500: 1, 3000: 3 };

interface View {
  readonly to: string;
  readonly data: string;
}

type CallView = (view: View) => string | undefined;

const isSame = (a: string | undefined, b: string): boolean => a?.toLowerCase() === b.toLowerCase();
const wordsOf = (data: string): string[] => data.slice(SELECTOR_CHARS).match(/.{64}/g) ?? [];
const addressOf = (word = ""): string => `0x${word.slice(24)}`;
const numberOf = (word: string | undefined): number => Number(BigInt(`0x${word ?? "0"}`));

/** Reads the views of an aggregate3; undefined when the call data is not one. */
function decodeViews(data: string): View[] | undefined {
  const hex = data.slice(SELECTOR_CHARS);
  const words = wordsOf(data);
  const count = numberOf(words[1]);
  if (count > VIEWS_MAX) return undefined;
  return Array.from({ length: count }, (_, index) => {
    const start = 2 + numberOf(words[2 + index]) / 32;
    const length = numberOf(words[start + 3]) * 2;
    const from = (start + 4) * 64;
    return { to: addressOf(words[start]), data: `0x${hex.slice(from, from + length)}` };
  });
}

/** (bool success, bytes returnData)[]; a view without an answer reverted. */
function encodeResults(results: readonly (string | undefined)[]): string {
  const tuples = results.map((result) => {
    const body = result?.slice(2) ?? "";
    return encodeWord(result === undefined ? 0n : 1n) + encodeWord(64n) + encodeWord(BigInt(body.length / 2)) + body;
  });
  let offset = results.length * 32;
  const offsets = tuples.map((tuple) => {
    const word = encodeWord(BigInt(offset));
    offset += tuple.length / 2;
    return word;
  });
  return `0x${encodeWord(32n)}${encodeWord(BigInt(results.length))}${offsets.join("")}${tuples.join("")}`;
}

function quote(world: SimulatedWorld, chain: string, data: string): string | undefined {
  const [from, to, amount, fee] = wordsOf(data);
  const thinness = THINNESS[numberOf(fee)];
  if (!isDexChain(chain) || thinness === undefined) return undefined;
  const out = getSimulatedSwap(world, {
    chain,
    from: addressOf(from),
    to: addressOf(to),
    amount: BigInt(`0x${amount ?? "0"}`),
    fee_ratio: numberOf(fee) / 1e6,
    thinness,
  });
  return out === undefined ? undefined : `0x${[out, 1n << 96n, 1n, BigInt(GAS)].map(encodeWord).join("")}`;
}

/**
 * Multicall3, Uniswap's quoter and the tokens' decimals. `callOther` answers for every other contract. Undefined when
 * there is no such contract or the call reverts.
 */
export function callView(
  world: SimulatedWorld,
  chain: string,
  { view, callOther }: { readonly view: View; readonly callOther: CallView },
): string | undefined {
  const { to, data } = view;
  const selector = data.slice(0, SELECTOR_CHARS);
  if (isSame(MULTICALL, to)) {
    if (selector === BLOCK_TIME) return `0x${encodeWord(BigInt(Math.floor(world.now() / 1000)))}`;
    const views = selector === AGGREGATE ? decodeViews(data) : undefined;
    return views && encodeResults(views.map((one) => callView(world, chain, { view: one, callOther })));
  }
  if (isSame(QUOTERS[chain], to) && selector === QUOTE_EXACT_INPUT) return quote(world, chain, data);
  const token = isDexChain(chain) && data === DECIMALS ? findSimulatedToken(chain, to) : undefined;
  return token ? `0x${encodeWord(BigInt(token.decimals))}` : callOther(view);
}
