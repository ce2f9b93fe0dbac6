import { describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { createProductRig } from "../../../../test/helpers/product-rig.ts";
import { refusalOf } from "../../../../test/helpers/refusal.ts";
import { job } from "../jobs/metal-fix.ts";
import { product } from "./product.ts";

/** A Thursday. */
const NOW_MS = Date.UTC(2026, 9, 1, 12, 24, 56);
const LIVE = ["swissquote", "goldapi", "evm_rpc", "kraken"];
const { createNode, run } = createProductRig(product, { now_ms: NOW_MS });

describe("GET /commodity-price", () => {
  test("gold by four sources, its change against the fix of yesterday", async () => {
    const node = createNode();
    node.clock.set(Date.UTC(2026, 8, 30, 21, 0, 5));
    await job.run(node.createContext());
    node.clock.set(NOW_MS);
    const { data, sources, warnings } = await run(node);
    expect(data).toMatchObject({ symbol: "gold", price_type: "spot_mid", change_basis: "node_fix" });
    expect(data.quotes.map(({ used }) => used)).toEqual([true, true, true, true]);
    expect(data.related?.name).toBe("gold_silver_ratio");
    expect(new Set(sources.map(({ provider }) => provider))).toEqual(new Set(LIVE));
    expect(warnings.map((text) => text.split(":")[0])).toEqual(["change_30d_pct, pctile_1y"]);
  });

  test("the fix is taken at 17:00 New York alone, summer and winter", async () => {
    for (const [time, calls] of [
      ["2026-09-30T21:00:05Z", 4],
      ["2026-09-30T22:00:05Z", 0],
      ["2026-11-18T22:00:05Z", 4],
      ["2026-11-18T21:00:05Z", 0],
    ] as const) {
      const node = createNode({ now_ms: Date.parse(time) });
      await job.run(node.createContext());
      expect(node.upstreams.status().swissquote?.calls ?? 0).toBe(calls);
    }
  });

  test("oil from the agency where its key is there, else from FRED: the same numbers", async () => {
    const own = await run(createNode({ api_keys: { eia: "a-key" } }), "symbol=brent");
    const free = await run(createNode(), "symbol=brn");
    expect(own.sources.map(({ provider }) => provider)).toContain("eia");
    expect(free.sources.map(({ provider }) => provider)).not.toContain("eia");
    expect(free.data).toEqual(own.data);
    expect(own.data).toMatchObject({ freshness: "daily", change_basis: "previous_obs" });
    expect(own.data.pctile_1y).not.toBeNull();
    expect(own.data.related?.name).toBe("brent_wti_spread");
    expect(product.preview.charts?.(own)).toHaveLength(1);
  });

  test("a monthly average is called one", async () => {
    const { data, warnings } = await run(createNode(), "symbol=ZW");
    expect(data).toMatchObject({ symbol: "wheat", price_type: "monthly_average", observed_at: "2026-07", quotes: [] });
    expect(warnings.join()).toContain("pctile_1y: a monthly series has no days");
  });

  test("any one source of a metal is enough; without all there is nothing to sell", async () => {
    for (const left of LIVE) {
      const node = createNode();
      for (const id of LIVE) if (id !== left) node.upstreams.setFault(id, "http500");
      expect((await run(node)).data.quotes.map(({ provider }) => provider)).toEqual([left]);
    }
    const node = createNode();
    node.upstreams.setFault("*", "http500");
    for (const symbol of ["gold", "wti", "corn"])
      expect((await refusalOf(run(node, `symbol=${symbol}`))).status).toBe(503);
    expect((await refusalOf(run(node, "symbol=uranium"))).code).toBe("invalid_parameter");
  });

  test("at the weekend the dealer's last quote is said to be old", async () => {
    const { data, warnings } = await run(createNode({ now_ms: Date.UTC(2026, 9, 3, 12) }));
    expect(data).toMatchObject({ price_type: "spot_mid", freshness: "last_quote" });
    expect(warnings.join("\n")).toContain("price: its market rests");
  });

  test("the preview withholds the quotes", async () => {
    const { data } = await run(createNode());
    expect(Value.Check(product.data, product.preview.redact?.(data))).toBe(true);
  });
});
