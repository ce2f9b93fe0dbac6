import { expect, test } from "bun:test";
import { createSimulatedNode } from "../../../../test/helpers/simulated-node.ts";
import { testSoldByTemplates } from "../../../../test/helpers/sold-by-templates.ts";
import { parseUSD } from "../../../core/money.ts";
import { product as commodity } from "../../commodities/commodity-price/product.ts";
import { product as market } from "../../crypto-market/market-brief/product.ts";
import { product as forex } from "../../fx/forex-rate/product.ts";
import { product as calendar } from "../../macro/macro-calendar/product.ts";
import { job } from "../jobs/morning-editions.ts";
import { editions, product } from "./product.ts";

testSoldByTemplates(product, { now_ms: Date.UTC(2026, 9, 1, 12, 24, 56) });

test("it costs less than the four products that hold most of it, bought apart", () => {
  const apart = [market, forex, commodity, calendar].reduce((sum, { price_usd }) => sum + parseUSD(price_usd), 0n);
  expect(parseUSD(product.price_usd)).toBeLessThan(apart);
});

test("its editions come out at 05:30 and 11:30 UTC, and are kept", async () => {
  const node = createSimulatedNode({ now_ms: Date.UTC(2026, 2, 8, 5, 30) });
  await job.run(node.createContext());
  const [first] = await editions.list(node.createContext(), "1d");
  for (const minute of [45, 60, 360]) {
    node.clock.set(Date.UTC(2026, 2, 8, 5, 30 + minute));
    await job.run(node.createContext());
  }
  const list = await editions.list(node.createContext(), "1d");
  expect(list.map(({ at_ms }) => new Date(at_ms).toISOString().slice(11, 16))).toEqual(["05:30", "11:30"]);
  expect(list[0]).toEqual(first as never);
  expect(list.map(({ value }) => (value.data as { edition: string }).edition)).toEqual(["asia_open", "us_open"]);
  node.close();
});
