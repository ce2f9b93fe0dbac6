import { expect, test } from "bun:test";
import { isAddress } from "../../../core/eth-address.ts";
import { isSolanaAddress } from "../../../core/solana-address.ts";
import { DEX_TOKENS, NATIVE, USDC } from "../../../upstream/providers/dex-tokens.ts";
import type { DexPair } from "../../../upstream/providers/dexscreener/pairs.ts";
import { ISSUED_ELSEWHERE } from "../../../upstream/providers/issued-elsewhere.ts";
import { computeDexScreen, describePair, turnPair } from "./compute.ts";

const NOW_MS = Date.UTC(2026, 9, 4, 12, 0, 0);
const PAIR: DexPair = {
  chain: "ethereum",
  dex: "uniswap",
  pair_address: "0x88e6",
  labels: ["v3"],
  base: { address: "0xC02a", name: "Wrapped Ether", symbol: "WETH" },
  quote: { address: "0xA0b8", name: "USD Coin", symbol: "USDC" },
  price_usd: 2_701.37,
  price_native: 2_701.3735,
  liquidity_usd: 98_107_272.35,
  liquidity_base: 1,
  liquidity_quote: 1,
  volume_h1_usd: 1_086_321.32,
  volume_h24_usd: 17_174_868.85,
  change_h1_pct: -0.05,
  change_h24_pct: 0.58,
  buys_h1: 125,
  sells_h1: 255,
  buys_h24: 6_104,
  sells_h24: 6_834,
  fdv_usd: 1,
  market_cap_usd: 1,
  created_at_ms: 1_620_250_931_000,
  has_link: false,
  is_promoted: false,
};

test("the recorded pair: turnover, age, and the same pool turned", () => {
  const row = describePair(PAIR, NOW_MS);
  expect(row.turnover).toBeCloseTo(0.1751, 4);
  expect(row.pair_created_at).toBe("2021-05-05T21:42:11Z");
  const turned = turnPair(PAIR);
  expect(turned.price_usd).toBeCloseTo(1, 4);
  expect(turned).toMatchObject({ buys_h24: 6_834, sells_h24: 6_104, base: { symbol: "USDC" } });
  expect(turnPair(turned).price_usd).toBeCloseTo(2_701.37, 6);
});

test("flags are set where they are due", () => {
  const flagsOf = (changes: Partial<DexPair>) =>
    describePair({ ...PAIR, base: { ...PAIR.base, symbol: "CAT" }, ...changes }, NOW_MS).flags;
  expect(flagsOf({})).toEqual([]);
  expect(flagsOf({ liquidity_usd: 9_000, volume_h24_usd: 100 })).toEqual(["thin"]);
  expect(flagsOf({ created_at_ms: NOW_MS - 3_600_000 })).toEqual(["new"]);
  expect(flagsOf({ volume_h24_usd: 3e9 })).toEqual(["wash_suspect"]);
  expect(flagsOf({ buys_h24: 20, sells_h24: 0, volume_h24_usd: 5 })).toEqual(["one_sided"]);
  expect(flagsOf({ base: { address: "0x1", name: "x", symbol: "U\u200bSDC" } })).toEqual(["look_alike"]);
});

test("issuers' own contracts collide with nothing on any chain; what bears their symbol beside them does", () => {
  const CBBTC = DEX_TOKENS.base.find(({ wrapper }) => wrapper === "cbBTC")?.address ?? "";
  const flagsOf = (symbol: string, tokens: readonly (readonly [chain: string, address: string])[]) => {
    const pairs = tokens.map(([chain, address]) => ({
      ...PAIR,
      chain,
      pair_address: `${chain} ${address}`,
      base: { address, name: symbol, symbol },
    }));
    const inputs = { pairs, read_at_ms: NOW_MS, silent: [] };
    const { data } = computeDexScreen(inputs as never, { query: symbol, limit: 30, min_liquidity_usd: 0 });
    return data.results.map(({ base, flags }) => [base.address, flags] as const);
  };
  const issued = [
    [
      "USDC",
      [
        ["ethereum", USDC.ethereum],
        ["base", USDC.base],
        ["arbitrum", USDC.arbitrum],
        ["polygon", USDC.polygon],
      ],
    ],
    [
      "USDT",
      [
        ["ethereum", "0xdAC17F958D2ee523a2206206994597C13D831ec7"],
        ["polygon", "0xc2132D05D31c914a87C6611C10748AEb04B58e8F"],
      ],
    ],
    [
      "WETH",
      [
        ["ethereum", NATIVE.ethereum.address],
        ["base", NATIVE.base.address],
      ],
    ],
    [
      "cbBTC",
      [
        ["base", CBBTC],
        ["arbitrum", CBBTC],
      ],
    ],
  ] as const;
  for (const [symbol, tokens] of issued) {
    expect(flagsOf(symbol, tokens).flatMap(([, flags]) => flags)).toEqual([]);
    const beside = Object.fromEntries(flagsOf(symbol, [...tokens, ["base", "0x1"]]));
    expect(beside["0x1"]).toEqual(["look_alike", "symbol_collision"]);
    expect(tokens.flatMap(([, address]) => beside[address] ?? [])).toEqual([]);
  }
  // Two without an issuer: each collides with the other.
  expect(
    flagsOf("CAT", [
      ["base", "0x2"],
      ["base", "0x3"],
    ]).map(([, flags]) => flags),
  ).toEqual([["symbol_collision"], ["symbol_collision"]]);
});

const flagsOn = (chain: string, address: string, symbol: string) =>
  describePair({ ...PAIR, chain, base: { address, name: symbol, symbol } }, NOW_MS).flags;

test("tokens of issuers and chains' own bridges are not copies, on any chain", () => {
  expect(ISSUED_ELSEWHERE.length).toBeGreaterThan(80);
  for (const { chain, symbol, address } of ISSUED_ELSEWHERE) {
    const is_address = /^\d+$/.test(address) || isAddress(address) || isSolanaAddress(address);
    expect([chain, symbol, is_address, flagsOn(chain, address, symbol)]).toEqual([chain, symbol, true, []]);
  }
  const AVALANCHE = [
    ["USDC", "0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E"],
    ["EURC", "0xC891EB4cbdEFf6e073e859e987815Ed1505c2ACD"],
  ] as const;
  for (const [symbol, address] of AVALANCHE) expect(flagsOn("avalanche", address, symbol)).toEqual([]);
  expect(flagsOn("avalanche", "0x1", "EURC")).toEqual(["look_alike"]);
  // It says nothing about a chain whose issuers this node does not know.
  expect(flagsOn("sui", "0x1::usdc::USDC", "USDC")).toEqual([]);
});

test.each([
  ...["ΕURC", "ΡYUSD", "DΑI", "WΕTH", "cbВTC", "USDϹ", "ꓴꓢꓓꓚ", "ᴜsᴅᴄ", "USĐC", "ՍSDC", "JlTOSOL", "ＵＳＤＣ", "usdc "],
  ...[
    "U S D C",
    "USDC\u3164",
    "usdt",
    "USD₮",
    "Wetн",
    "ՏOL",
    "ᏔETH".replace("Ꮤ", "Ꮃ"),
    "WβTC".replace("β", "Β"),
    "USDŦ",
  ],
])("%s is taken for an issuer's symbol", (symbol) => {
  expect(flagsOn("base", "0x1", symbol)).toContain("look_alike");
});

test.each(["CAT", "USDX", "SOLX", "ΩMEGA", "ΔELTA", "LIT", "CASH", "EUR", "DAO"])("%s has no issuer", (symbol) => {
  expect(flagsOn("base", "0x1", symbol)).toEqual([]);
});
