import { expect, test } from "bun:test";
import type { DexPair } from "../../../upstream/providers/dexscreener/pairs.ts";
import { readFacts } from "./read-facts.ts";

const NOW_MS = Date.UTC(2026, 10, 20);

/** What the table of pools alone says of a token. */
function readListed(chain: "base" | "solana", address: string, symbol: string) {
  const base = { address, symbol, name: symbol };
  const pair: Partial<DexPair> = {
    chain,
    base,
    quote: { address: "x", symbol: "Q", name: "Q" },
    liquidity_usd: 5_000_000,
  };
  const profile = { subject: { chain, address }, read_at_ms: NOW_MS, pairs: { ok: true, value: [pair] } };
  return readFacts(profile as never);
}
const isCounterfeit = (...listed: Parameters<typeof readListed>): number | undefined =>
  readListed(...listed).find(({ fact }) => fact === "counterfeit")?.value;

test.each([
  ["base", "0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb", "DAI"],
  ["base", "0xfde4C96c8593536E31F229EA8f37b2ADa2699bb2", "USDT"],
  ["base", "0xb6fe221fe9eef5aba221c348ba20a1bf5e73624c", "rETH"],
  ["base", "0x0555E30da8f98308EdB960aa94C0Db47230d2B9c", "WBTC"],
  ["base", "0x820C137fa70C8691f0e44Dc420a5e53c168921Dc", "USDS"],
  ["solana", "USDSwr9ApdHk5bvJKMjzff41FfuX8bSxdKcR81vTwcA", "USDS"],
  ["solana", "LinkhB3afbBKb2EQQu7s7umdZceV3wcvAUJhQAfQ23L", "LINK"],
] as const)("on %s %s is %s, and no counterfeit", (chain, address, symbol) => {
  expect(isCounterfeit(chain, address, symbol)).toBe(0);
});

test.each(["DAI", "DΑI", "USDS", "usdt ", "ΡYUSD", "JlTOSOL"])("%s of anybody is a counterfeit", (symbol) => {
  expect(isCounterfeit("base", "0x000000000000000000000000000000000000dEaD", symbol)).toBe(1);
});
