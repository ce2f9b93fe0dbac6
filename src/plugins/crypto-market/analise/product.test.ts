import { describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { computeSettled, createProductRig } from "../../../../test/helpers/product-rig.ts";
import { refusalOf } from "../../../../test/helpers/refusal.ts";
import { DAY_MS } from "../../../upstream/providers/bars.ts";
import { job as emit } from "../jobs/signals-emit.ts";
import { readRecentEvaluations } from "../signals/signal-records.ts";
import { product } from "./product.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12, 34, 56);

const { createNode, run } = createProductRig(product, { now_ms: NOW_MS });

describe("GET /analise", () => {
  test("its alpha is the ledger's of the same close, for every coin", async () => {
    const node = createNode({ now_ms: Date.UTC(2026, 9, 1, 12, 2, 7) });
    await emit.run(node.createContext());
    const [evaluation] = await readRecentEvaluations(node.createContext(), 1);
    const coins = evaluation?.record.coins ?? [];
    expect(coins).toHaveLength(10);
    for (const { symbol, alpha } of coins) {
      const { data } = await run(node, `symbol=${symbol}`);
      expect([symbol, data.timeframe_4h?.alpha]).toEqual([symbol, Number(alpha)]);
    }
  });

  test("a whole sheet of Bitcoin by default, on a node whose jobs have not run", async () => {
    const { data, as_of_ms, warnings } = await run(createNode());
    expect(data).toMatchObject({ symbol: "BTC", bar_date: "2026-09-30" });
    expect(as_of_ms).toBe(Date.UTC(2026, 9, 1, 12));
    expect(data.timeframe_4h?.alpha).not.toBeNull();
    expect(data.derivatives?.open_interest_usd).toBeGreaterThan(0);
    expect(warnings).toEqual([]);
  });

  test("symbols are read in their usual spellings, also those listed by the thousand", async () => {
    const node = createNode();
    expect((await run(node, "symbol=%24eth")).data.symbol).toBe("ETH");
    expect((await run(node, "symbol=XBT/USD")).data.symbol).toBe("BTC");
    const { data, warnings } = await run(node, "symbol=PEPE");
    expect(data.symbol).toBe("PEPE");
    expect(data.price).toBeLessThan(0.001);
    expect(data.derivatives?.open_interest_usd).toBeGreaterThan(1_000_000);
    expect(warnings).toEqual([]);
  });

  test("an unlisted coin is the buyer's fault: 422, with the coins that always work", async () => {
    for (const search of ["symbol=NOSUCH", "symbol=BTC-EUR"]) {
      const error = await refusalOf(run(createNode(), search));
      expect([error.code, error.status]).toEqual(["invalid_parameter", 422]);
      expect(error.message).toContain("BTC, ETH, SOL");
    }
  });

  test.each(["bybit", "okx"])("with a licence of %s its funding replaces Hyperliquid's", async (id) => {
    const node = createNode({ licensed: [id] });
    node.upstreams.setFault("hyperliquid", "http500");
    const { data, warnings, sources } = await run(node);
    expect(data.derivatives?.open_interest_usd).toBeGreaterThan(1_000_000);
    expect(warnings).toEqual([]);
    expect(sources.some(({ provider, ok }) => provider === id && ok)).toBe(true);
  });

  test("without Hyperliquid another venue gives the bars, and derivatives are null", async () => {
    const node = createNode();
    node.upstreams.setFault("hyperliquid", "http500");
    const { data, warnings } = await run(node);
    expect(data.derivatives).toBeNull();
    expect(warnings.join()).toContain("derivatives");
    expect(data.timeframe_4h).not.toBeNull();
  });

  test("the preview is yesterday's, without levels and without what is of today", async () => {
    const { inputs } = await run(createNode());
    const earlier = product.preview.rewind?.(inputs, NOW_MS);
    if (!earlier) throw new Error("no earlier view");
    const computed = computeSettled(product, earlier, { params: {}, now_ms: NOW_MS });
    expect(computed.as_of_ms).toBe(Date.UTC(2026, 8, 30));
    expect(NOW_MS - computed.as_of_ms).toBeGreaterThanOrEqual(DAY_MS);
    expect(computed.data).toMatchObject({ bar_date: "2026-09-29", derivatives: null });
    const shown = product.preview.redact?.(computed.data);
    expect(Value.Check(product.data, shown)).toBe(true);
    expect(shown?.levels).toBeNull();
  });

  test("the example is a sheet", () => {
    expect([...Value.Errors(product.data, product.example.data)]).toEqual([]);
  });
});
