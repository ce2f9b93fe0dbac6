import { describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { computeSettled, createProductRig } from "../../../../test/helpers/product-rig.ts";
import { refusalOf } from "../../../../test/helpers/refusal.ts";
import { createParamsParser } from "../../../catalog/params.ts";
import { CANDLE_VENUES } from "../../../upstream/providers/candle-venues.ts";
import { job as candles } from "../jobs/candles-1d.ts";
import { product } from "./product.ts";
import { STRATEGY_IDS } from "./strategies.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12, 34, 56);

const { createNode, run } = createProductRig(product, { now_ms: NOW_MS });

const parser = createParamsParser(product.params, product.normalise);
const paramsOf = (search: string) => parser.fromQuery(search).params as { strategy: string; days: number };

describe("GET /backtest", () => {
  test("a node whose jobs have not run fetches the bars itself", async () => {
    const { data, sources, as_of_ms, warnings } = await run(createNode());
    expect(data).toMatchObject({ strategy: "price_sma_200", days: 730, to: "2026-09-30", price_source: "hyperliquid" });
    expect(as_of_ms).toBe(Date.UTC(2026, 9, 1));
    expect(sources.map(({ provider, ok }) => `${provider} ${ok}`)).toEqual(["hyperliquid true"]);
    expect(warnings).toEqual([]);
  });

  test("stored bars are used, without a call", async () => {
    const node = createNode();
    await candles.run(node.createContext());
    const calls = () => CANDLE_VENUES.map(({ provider }) => node.upstreams.status()[provider.id]?.calls);
    const before = calls();
    for (const search of ["", "days=3000", "strategy=dual_momentum_btc_eth&days=3000", "strategy=buy_hold&days=90"]) {
      const { data, sources, warnings } = await run(node, search);
      expect(warnings).toEqual([]);
      expect(data.days).toBe(paramsOf(search).days);
      expect(sources.every(({ ok }) => ok)).toBe(true);
    }
    expect(calls()).toEqual(before);
  });

  test("years of days come from the venue with the longest history", async () => {
    const { data } = await run(createNode(), "days=2000");
    expect([data.days, data.price_source]).toEqual([2_000, "bitstamp"]);
    expect(data.equity_curve).toHaveLength(60);
  });

  test("a venue that fails is replaced, for all of the series", async () => {
    const node = createNode();
    node.upstreams.setFault("hyperliquid", "http500");
    const { data, sources } = await run(node);
    expect(["bitstamp", "cryptocom"]).toContain(data.price_source);
    expect(data.days).toBe(730);
    expect(sources.some(({ provider, ok }) => provider === "hyperliquid" && !ok)).toBe(true);
  });

  test("when only a venue of two years is left, the days are cut, and the answer says so", async () => {
    const off = CANDLE_VENUES.map(({ provider }) => provider.id).filter((id) => id !== "kraken");
    const { data, warnings } = await run(createNode({ off }));
    expect([data.days, data.price_source]).toEqual([459, "kraken"]);
    expect(warnings).toEqual(["days: history is short, so that 459 of 730 days count"]);
  });

  test("another coin is traded and compared with holding that coin, from its own bars", async () => {
    const node = createNode();
    const of_btc = await run(node, "strategy=tsmom_90");
    expect(of_btc.data.symbol).toBe("BTC");
    for (const symbol of ["SOL", "DOGE", "APT"]) {
      const { data, inputs } = await run(node, `strategy=tsmom_90&symbol=${symbol}`);
      expect([data.symbol, ...inputs.series.map((one) => one.symbol)]).toEqual([symbol, symbol]);
      expect(data.trades_list?.every((trade) => trade.symbol === symbol)).toBe(true);
      expect(data.benchmark).not.toEqual(of_btc.data.benchmark);
      const held = await run(node, `strategy=buy_hold&symbol=${symbol}`);
      expect(held.data.metrics).toEqual(data.benchmark);
    }
  });

  test("a coin is refused beside the rule that has its own two, and so is one that is not offered", async () => {
    const own = await refusalOf(() => paramsOf("strategy=dual_momentum_btc_eth&symbol=SOL"));
    expect([own.status, own.options.param]).toEqual([422, "symbol"]);
    expect(own.options.details).toMatchObject({ got: "SOL", allowed: ["BTC"] });
    expect((await refusalOf(() => paramsOf("symbol=NOSUCH"))).status).toBe(422);
    expect(paramsOf("symbol=eth")).toMatchObject({ symbol: "ETH" });
  });

  test("an unknown rule is refused with the list of those there are", async () => {
    const error = await refusalOf(() => paramsOf("strategy=hodl"));
    expect([error.code, error.status]).toEqual(["invalid_parameter", 422]);
    expect(error.options.details).toMatchObject({ parameter: "strategy", got: "hodl", allowed: STRATEGY_IDS });
  });

  test("days outside 90 to 3000 are refused", async () => {
    for (const days of ["89", "3001", "1.5", "-1", "many"]) {
      expect((await refusalOf(() => paramsOf(`days=${days}`))).code).toBe("invalid_parameter");
    }
    expect([paramsOf("days=90").days, paramsOf("days=3000").days]).toEqual([90, 3_000]);
    expect(paramsOf("days=").days).toBe(paramsOf("").days);
  });

  test("the preview is a day old and withholds the curve and the trades", async () => {
    const { inputs } = await run(createNode());
    const rewound = product.preview.rewind?.(inputs, NOW_MS);
    if (!rewound) throw new Error("there is an earlier view");
    const { data, as_of_ms, warnings } = computeSettled(product, rewound, { params: paramsOf(""), now_ms: NOW_MS });
    expect(as_of_ms).toBe(Date.UTC(2026, 8, 30));
    expect([data.days, data.to, warnings.length]).toEqual([730, "2026-09-29", 0]);
    const shown = product.preview.redact?.(data);
    expect(Value.Check(product.data, shown)).toBe(true);
    expect(shown).toMatchObject({ equity_curve: null, trades_list: null, open_trade: null });
  });
});
