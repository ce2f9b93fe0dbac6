import { describe, expect, test } from "bun:test";
import { createProductRig } from "../../../../test/helpers/product-rig.ts";
import { refusalOf } from "../../../../test/helpers/refusal.ts";
import { ZOO } from "../../../upstream/providers/simulated-tokens/zoo.ts";
import { product } from "./product.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12, 34, 56);
const { createNode, run } = createProductRig(product, { now_ms: NOW_MS });
const find = (id: string) => ZOO.find((token) => token.id === id);

describe("GET /token-intel", () => {
  test("a ticker of an issuer is that issuer's, whatever look-alikes are deeper", async () => {
    const { data } = await run(createNode(), "token=usdc&chain=solana");
    expect(data).toMatchObject({ identity: { is_issuer: true }, resolution: { method: "issuer_list" } });
    expect(data.token.address).toBe("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v");
  });

  test("an issuer's own token that no pool trades is the source's fault", async () => {
    const node = createNode();
    node.upstreams.setFault("dexscreener", "empty");
    for (const query of ["", "token=usdc&chain=solana"]) {
      expect(await refusalOf(run(node, query))).toMatchObject({ status: 503, code: "upstream_bad_response" });
    }
  });

  test("another ticker is the deepest token of exactly that symbol", async () => {
    const symbol = find("meadow")?.symbol ?? "";
    const { data } = await run(createNode(), `token=$${symbol}`);
    expect(data.token.address).toBe(find("meadow")?.address ?? "");
    expect(data.resolution).toMatchObject({ method: "search", is_ambiguous: false });
    expect(data.markets.price_usd).toBeGreaterThan(0);
    expect(data.safety.hard_fails).toEqual([]);
  });

  test("the value of a wrapped coin is said to be of its wrapped part alone", async () => {
    const node = createNode();
    const wrapsOf = async (query: string) => {
      const { data, warnings } = await run(node, query);
      return [data.valuation.wraps, warnings.filter((text) => text.includes("alone, not of"))];
    };
    expect(await wrapsOf("")).toEqual(["SOL", ["valuation: of the wrapped SOL on solana alone, not of SOL"]]);
    expect((await wrapsOf("token=WETH&chain=base"))[0]).toBe("ETH");
    expect((await wrapsOf("token=cbBTC&chain=base"))[0]).toBe("BTC");
    expect(await wrapsOf("token=USDC&chain=base")).toEqual([null, []]);
    expect(await wrapsOf(`token=${find("meadow")?.address}`)).toEqual([null, []]);
  });

  test("a hex address without a chain is found where its pools are", async () => {
    const { data } = await run(createNode(), `token=${find("orchard")?.address}`);
    expect(data.token.chain).toBe("ethereum");
  });

  test("what no pool trades is not found", async () => {
    const node = createNode();
    expect((await refusalOf(run(node, "token=NOSUCHTICKER"))).code).toBe("subject_not_found");
  });
});
