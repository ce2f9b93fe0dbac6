import { describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { createProductRig } from "../../../../test/helpers/product-rig.ts";
import { refusalOf } from "../../../../test/helpers/refusal.ts";
import { product } from "./product.ts";

/** A Thursday. */
const { createNode, run } = createProductRig(product, { now_ms: Date.UTC(2026, 9, 1, 12, 24, 56) });

describe("GET /forex-rate", () => {
  test("live rate of two venues beside the official one", async () => {
    const { data, warnings, sources } = await run(createNode());
    expect(data).toMatchObject({ base: "EUR", quote: "USD", kind: "live", market_state: "open" });
    expect(data.official?.date).toBe("2026-09-30");
    expect(data.quotes.map(({ used }) => used)).toEqual([true, true]);
    expect(data.pctile_52w).not.toBeNull();
    expect(new Set(sources.map(({ provider }) => provider))).toEqual(new Set(["ecb", "kraken", "swissquote"]));
    expect(warnings).toEqual([]);
  });

  test("a cross through the dollar, and a currency with the official rate alone", async () => {
    const cross = await run(createNode(), "pair=CHFJPY");
    expect(cross.data).toMatchObject({ kind: "live", quoted_by: "swissquote" });
    expect(cross.warnings.join("\n")).toContain("kraken is not used, spread above 25 bps");
    const alone = await run(createNode(), "pair=BRL");
    expect(alone.data).toMatchObject({ base: "USD", quote: "BRL", kind: "official_daily", quotes: [], bid: null });
  });

  test("at the weekend the dealers' quotes are old, and that is said", async () => {
    const { data, warnings } = await run(createNode({ now_ms: Date.UTC(2026, 9, 3, 12) }));
    expect(data.market_state).toBe("weekend");
    expect(warnings.join("\n")).toContain("swissquote is not used, older than 60 s");
  });

  test("one source of any kind is enough; without all there is nothing to sell", async () => {
    for (const left of ["ecb", "kraken", "swissquote"]) {
      const node = createNode();
      for (const id of ["ecb", "kraken", "swissquote"]) if (id !== left) node.upstreams.setFault(id, "http500");
      const { data } = await run(node);
      expect(data.kind).toBe(left === "ecb" ? "official_daily" : "live");
    }
    const node = createNode();
    node.upstreams.setFault("*", "http500");
    expect((await refusalOf(run(node))).status).toBe(503);
    expect((await refusalOf(run(createNode(), "pair=CNH"))).code).toBe("invalid_parameter");
  });

  test("the preview withholds the live quotes", async () => {
    const { data } = await run(createNode());
    expect(Value.Check(product.data, product.preview.redact?.(data))).toBe(true);
  });
});
