import { describe, expect, test } from "bun:test";
import { createProductRig } from "../../../../test/helpers/product-rig.ts";
import { refusalOf } from "../../../../test/helpers/refusal.ts";
import type { DexPair } from "../../../upstream/providers/dexscreener/pairs.ts";
import { isIssuerToken } from "../../../upstream/providers/issuer-tokens.ts";
import { ZOO } from "../../../upstream/providers/simulated-tokens/zoo.ts";
import { product } from "./product.ts";

const NOW_MS = Date.UTC(2026, 9, 4, 12, 0, 0);
const { createNode, run } = createProductRig(product, { now_ms: NOW_MS });
const _PAIR: DexPair = {
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

describe("GET /dex-screen", () => {
  test("without a query the busiest pools of reference tokens, on three chains", async () => {
    const { data, warnings } = await run(createNode());
    expect(data.mode).toBe("trending");
    expect(new Set(data.results.map(({ chain }) => chain)).size).toBeGreaterThan(1);
    const volumes = data.results.map(({ volume_h24_usd }) => volume_h24_usd ?? 0);
    expect(volumes).toEqual([...volumes].sort((a, b) => b - a));
    expect(warnings.join()).toContain("query: none was named");
  });

  test("a list without any of the best known tokens is the source's fault, one of a query is not", async () => {
    const node = createNode();
    node.upstreams.setFault("dexscreener", "empty");
    expect(await refusalOf(run(node))).toMatchObject({ status: 503, code: "upstream_bad_response" });
    expect(await refusalOf(run(node, "query=nobodys"))).toMatchObject({ status: 404, code: "subject_not_found" });
  });

  test("a symbol that several tokens bear says so, and the copies are flagged", async () => {
    const { data } = await run(createNode(), "query=USDC&chain=solana&limit=30");
    const copies = data.results.filter(({ flags }) => flags.includes("look_alike"));
    expect(copies.length).toBeGreaterThan(0);
    expect(copies.every(({ flags }) => flags.includes("symbol_collision"))).toBe(true);
    const issued = data.results.filter(({ chain, base }) => isIssuerToken(chain, base.address));
    expect(issued.length).toBeGreaterThan(0);
    expect(issued.flatMap(({ flags }) => flags)).not.toContain("symbol_collision");
    expect(data.identity.distinct_tokens).toBeGreaterThan(1);
  });

  test("an address is that token, found on its chain", async () => {
    const token = ZOO.find(({ id }) => id === "lantern");
    const { data } = await run(createNode(), `query=${token?.address}`);
    expect(data.results).toHaveLength(1);
    expect(data.results[0]).toMatchObject({ chain: "base", base: { address: token?.address } });
  });

  test("nothing found is not found; a typo in an address is 422", async () => {
    const node = createNode();
    expect((await refusalOf(run(node, "query=nosuchtoken"))).code).toBe("subject_not_found");
    expect((await refusalOf(run(node, "query=0xC02AAA39b223FE8D0A0e5C4F27eAD9083C756Cc2"))).status).toBe(422);
  });
});
