import { expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { createProductRig } from "../../../../test/helpers/product-rig.ts";
import { product } from "./product.ts";

const { createNode, run } = createProductRig(product, { now_ms: Date.UTC(2026, 9, 1, 12, 24, 56) });

const NO_SIZES =
  "best_loop.legs[USD/CHF].size, best_loop.legs[EUR/CHF].size, best_loop.legs[EUR/USD].size, best_loop.max_size: " +
  "the venue does not say how much it quotes";

test("loops of both venues; a sane market offers no profit", async () => {
  const { data, sources, warnings } = await run(createNode());
  expect(data).toMatchObject({ market_state: "open", fee_bps_per_leg: 2, opportunities: [] });
  expect(data.loops_checked).toBeGreaterThan(10);
  expect(data.best_loop?.net_bps).toBeLessThan(0);
  expect(["none", "watch"]).toContain(data.verdict);
  expect(new Set(sources.map(({ provider }) => provider))).toEqual(new Set(["kraken", "swissquote"]));
  expect(warnings).toEqual([NO_SIZES]);
  expect(Value.Check(product.data, product.preview.redact?.(data))).toBe(true);
});

test("Kraken's listed crosses are there, one it does not trade is not asked for", async () => {
  const { data } = await run(createNode());
  const crosses = data.synthetic_crosses.flatMap(({ provider, pair }) => (provider === "kraken" ? [pair] : []));
  expect(crosses.sort()).toEqual(["EUR/AUD", "EUR/CAD", "EUR/CHF", "EUR/GBP", "EUR/JPY"]);
});

test("at the weekend nothing can be executed; one venue is enough", async () => {
  expect((await run(createNode({ now_ms: Date.UTC(2026, 9, 3, 12) }))).data.verdict).toBe("not_executable");
  const node = createNode();
  node.upstreams.setFault("kraken", "http500");
  expect((await run(node)).warnings).toEqual(["opportunities: kraken could not be read", NO_SIZES]);
});
