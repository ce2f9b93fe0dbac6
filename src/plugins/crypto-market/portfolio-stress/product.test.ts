import { describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { computeSettled, createProductRig } from "../../../../test/helpers/product-rig.ts";
import { refusalOf } from "../../../../test/helpers/refusal.ts";
import type { SimulatedNode } from "../../../../test/helpers/simulated-node.ts";
import type { FetchContext } from "../../../catalog/context.ts";
import { createParamsParser } from "../../../catalog/params.ts";
import { NodeError, UpstreamError } from "../../../core/errors.ts";
import { DAY_MS } from "../../../upstream/providers/bars.ts";
import { job as candles } from "../jobs/candles-1d.ts";
import { product } from "./product.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12, 34, 56);
const parser = createParamsParser(product.params, product.normalise);

const HELD = [
  { asset: "btc", quantity: 0.5 },
  { asset: "ETH", quantity: "4" },
  { asset: "LINK", quantity: 300 },
  { asset: "USDC", quantity: 1_000 },
];

const rig = createProductRig(product, { now_ms: NOW_MS });
const { createNode } = rig;
const run = (node: SimulatedNode, body: unknown = HELD) => rig.run(node, body);

/** The jobs have run, and their fetched data is no longer cached. */
async function createReadyNode(): Promise<SimulatedNode> {
  const node = createNode();
  await candles.run(node.createContext());
  node.clock.set(NOW_MS + 60_000);
  return node;
}

describe("positions as a parameter", () => {
  test("a query's text, a body's list and a body's member are one request", () => {
    const text = JSON.stringify(HELD);
    const asked = parser.fromQuery(`positions=${encodeURIComponent(text)}`);
    for (const body of [HELD, { positions: HELD }, { positions: text }]) expect(parser.fromBody(body)).toEqual(asked);
    expect(asked.key).toContain("BTC");
  });

  test("malformed ones are refused before anything is paid", () => {
    for (const body of [[], {}, [{ asset: "BTC" }], { positions: {} }, { positions: "x" }, { positions: [] }]) {
      if (JSON.stringify(body) === "{}") expect(parser.fromBody(body).missing).toEqual(["positions"]);
      else expect(() => parser.fromBody(body)).toThrow(NodeError);
    }
    expect(() => parser.fromQuery(`positions=${"x".repeat(16_385)}`)).toThrow("too long");
  });
});

describe("GET and POST /portfolio-stress", () => {
  test("prices come from the oracles, the stablecoin from venues, the rest from Hyperliquid", async () => {
    const node = await createReadyNode();
    const { data, warnings, as_of_ms } = await run(node);
    expect(data.positions.map(({ asset, source, priced }) => [asset, source, priced])).toEqual([
      ["BTC", "oracle-consensus", true],
      ["ETH", "oracle-consensus", true],
      ["LINK", "hyperliquid", true],
      ["USDC", "spot-median", true],
    ]);
    expect(data.scenarios).toHaveLength(17);
    expect(data.history_days).toBe(365);
    // The simulated coins move on their own.
    expect(warnings.filter((text) => !/^positions\.[A-Z]+\.beta: measured -/.test(text))).toEqual([]);
    expect(Math.abs(NOW_MS + 60_000 - as_of_ms)).toBeLessThan(120_000);
  });

  test("a node whose jobs have not run yet fetches the bars itself", async () => {
    const { data } = await run(createNode());
    expect(data.history_days).toBe(365);
  });

  test("without Hyperliquid the larger coins have spot prices, and the cost of leaving is unknown", async () => {
    const node = await createReadyNode();
    node.upstreams.setFault("hyperliquid", "http500");
    const { data, warnings } = await run(node);
    expect(data.positions.find(({ asset }) => asset === "LINK")?.source).toBe("spot-median");
    const exit = data.scenarios.find(({ id }) => id === "liquidity_exit");
    expect(exit?.rows.map(({ pnl_usd }) => pnl_usd === null)).toEqual([true, true, true, false]);
    const exits = warnings.filter((text) => text.startsWith("scenarios[liquidity_exit].rows[BTC].shock_pct, "));
    expect(exits.map((text) => text.split(": ")[1])).toEqual(["nobody states its volume; it is not in the sum"]);
  });

  const WITH_SMALL = [
    { asset: "BTC", quantity: 1 },
    { asset: "PEPE", quantity: 1_000_000 },
  ];

  test("bars that exist and could not be read are not a short history: nothing is sold", async () => {
    const node = createNode();
    const real = node.createContext();
    const isBars = (path: string, body: unknown) => /ohlc|candle|kline/i.test(`${path} ${JSON.stringify(body ?? "")}`);
    const deaf: FetchContext = {
      ...real,
      get: (provider, request) =>
        isBars(request.path, request.body)
          ? Promise.reject(new UpstreamError("upstream_rate_limited", provider.id, "too many calls"))
          : real.get(provider, request),
    };
    const { params } = parser.fromBody(WITH_SMALL);
    const error = await refusalOf(product.fetch(deaf, params as { positions: string }));
    expect([error.status, error.message.includes("BTC")]).toEqual([503, true]);
  });

  test("a price that may be listed and could not be read does not count as missing: nothing is sold", async () => {
    const node = await createReadyNode();
    expect((await run(node, WITH_SMALL)).data.unpriced).toEqual([]);
    const cut_off = createNode({ stores: node });
    cut_off.upstreams.setFault("hyperliquid", "http500");
    const error = await refusalOf(run(cut_off, WITH_SMALL));
    expect([error.status, error.message.includes("PEPE")]).toEqual([503, true]);
  });

  test("an unlisted asset is its own 422 when it is the only one, else it is named", async () => {
    const error = await refusalOf(run(createNode(), [{ asset: "NOSUCHCOIN", quantity: 1 }]));
    expect([error.code, error.status]).toEqual(["no_priced_asset", 422]);
    const { data } = await run(createNode(), [
      { asset: "NOSUCHCOIN", quantity: 1 },
      { asset: "BTC", quantity: 1 },
    ]);
    expect(data.unpriced).toEqual(["NOSUCHCOIN"]);
  });

  test("no bars are requested for an unlisted asset", async () => {
    const node = createNode();
    await refusalOf(run(node, [{ asset: "NOSUCHCOIN", quantity: 1 }]));
    expect(node.upstreams.status().kraken?.calls ?? 0).toBe(0);
    expect(node.upstreams.status().hyperliquid?.calls).toBe(1);
  });

  test("Hyperliquid states no time with its middle prices: an answer made of them alone says so", async () => {
    const node = await createReadyNode();
    node.upstreams.setFault("*", "stale");
    const { data, warnings } = await run(node, [
      { asset: "BTC", quantity: 1 },
      { asset: "ETH", quantity: 1 },
    ]);
    expect(data.positions[0]?.source).toBe("hyperliquid");
    expect(warnings.join()).toContain("no source of these prices states a time");
  });

  test("the preview is the demo portfolio, a day old", async () => {
    const node = await createReadyNode();
    const context = node.createContext();
    const [params = { positions: "" }] = product.preview.params ?? [];
    const inputs = await product.fetch(context, params);
    const earlier = product.preview.rewind?.(inputs, NOW_MS);
    if (!earlier) throw new Error("no earlier view");
    const computed = computeSettled(product, earlier, { params, now_ms: NOW_MS });
    expect(NOW_MS - computed.as_of_ms).toBeGreaterThanOrEqual(DAY_MS);
    expect(Value.Check(product.data, computed.data)).toBe(true);
    expect(computed.data.positions.map(({ asset, quantity }) => [asset, quantity])).toEqual([
      ["BTC", 0.5],
      ["ETH", 4],
      ["SOL", 50],
    ]);
  });
});
