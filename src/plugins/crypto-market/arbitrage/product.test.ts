import { describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { type ProductRun, runProduct } from "../../../../test/helpers/product-harness.ts";
import { createProductRig } from "../../../../test/helpers/product-rig.ts";
import { createParamsParser } from "../../../catalog/params.ts";
import { NodeError, UpstreamError } from "../../../core/errors.ts";
import { product } from "./product.ts";
import { vector } from "./vector.ts";

const NOW_MS = 1_790_000_000_000;
const RESTRICTED = ["coinbase", "binance", "okx", "bybit"];

const KRAKEN = {
  "kraken GET /0/public/Depth?pair=XBTUSD": {
    error: [],
    result: {
      XXBTZUSD: {
        asks: [
          ["64000.0", "0.050", (NOW_MS - 1_000) / 1000],
          ["64010.0", "0.100", 1_789_999_000],
          ["64030.0", "0.500", 1_789_999_000],
        ],
        bids: [
          ["63990.0", "0.400", 1_789_999_000],
          ["63985.0", "0.500", 1_789_999_000],
        ],
      },
    },
  },
};
const BITSTAMP = {
  "bitstamp GET /api/v2/order_book/btcusd/": {
    timestamp: "1789999999",
    microtimestamp: `${NOW_MS - 1_000}000`,
    bids: [
      ["64120", "0.06000000"],
      ["64100", "0.08000000"],
      ["64060", "1.00000000"],
    ],
    asks: [
      ["64130", "0.30000000"],
      ["64140", "1.00000000"],
    ],
  },
};
const OKX = {
  "okx GET /api/v5/market/books?instId=BTC-USDT": {
    code: "0",
    msg: "",
    data: [{ asks: [["64010", "5", "0", "1"]], bids: [["64000", "5", "0", "1"]], ts: String(NOW_MS - 1_000) }],
  },
};
const usdt = (bid: string, ask: string, age_s = 1) => ({
  "kraken GET /0/public/Depth?pair=USDTUSD": {
    error: [],
    result: { USDTZUSD: { asks: [[ask, "1", NOW_MS / 1000 - age_s]], bids: [[bid, "1", NOW_MS / 1000 - age_s]] } },
  },
});

const run = (bodies: ProductRun["bodies"], options: Partial<ProductRun> = {}) =>
  runProduct(product, { now_ms: NOW_MS, bodies, unusable: RESTRICTED, ...options });

const rig = createProductRig(product, { now_ms: NOW_MS });

describe("GET /arbitrage", () => {
  test("gives the published vector from the venues' own bodies and the operator's fee", async () => {
    const unusable = [...RESTRICTED, "gemini", "cryptocom"];
    const result = await run(
      { ...KRAKEN, ...BITSTAMP },
      { unusable, provider_config: { bitstamp: { taker_bps: 10 } } },
    );
    expect(result.data).toEqual(vector.data);
    expect(result.as_of).toBe("2026-09-21T14:13:19Z");
    expect(result.sources.map(({ provider, ok }) => [provider, ok])).toEqual([
      ["kraken", true],
      ["bitstamp", true],
    ]);
  });

  test("a venue that fails is named, two others are enough, one is not", async () => {
    const { data, warnings } = await run({ ...KRAKEN, ...BITSTAMP });
    expect(data.venues).toMatchObject([{ used: true }, { used: true }, { reason: "error" }, { reason: "error" }]);
    expect(warnings).toContain("venues.gemini: no usable book (upstream_unavailable)");
    for (const bodies of [KRAKEN, {}]) {
      const error = await run(bodies).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(NodeError);
      expect(error).toMatchObject({ status: 503 });
    }
  });

  test("USDT/USD is asked for only when something has to be converted", async () => {
    const providers = (await run({ ...KRAKEN, ...BITSTAMP })).sources.map(({ url }) => url);
    expect(providers.some((url) => url.includes("USDT"))).toBe(false);
    const unusable = RESTRICTED.filter((id) => id !== "okx");
    const { data } = await run({ ...KRAKEN, ...BITSTAMP, ...OKX, ...usdt("0.9996", "0.9998") }, { unusable });
    expect(data.usdt_usd).toBe(0.9997);
    expect(data.venues).toContainEqual(expect.objectContaining({ venue: "okx", bid: 64_000, used: true }));
    const old = await run({ ...KRAKEN, ...BITSTAMP, ...OKX, ...usdt("0.9996", "0.9998", 121) }, { unusable });
    expect(old.data.venues).toContainEqual(expect.objectContaining({ venue: "okx", reason: "no_rate" }));
  });

  test("a pair in USDT without its rate is refused uncharged", async () => {
    const error = await run({ ...KRAKEN, ...BITSTAMP }, { params: { pair: "BTC/USDT" } }).catch((thrown) => thrown);
    expect(error).toMatchObject({ status: 503, code: "upstream_unavailable" });
  });

  test("a timeout of one venue is reported by its kind", async () => {
    const timeout = new UpstreamError("upstream_timeout", "gemini", "no answer");
    const { warnings } = await run({ ...KRAKEN, ...BITSTAMP, "gemini GET ": timeout });
    expect(warnings).toContain("venues.gemini: no usable book (upstream_timeout)");
  });

  test("the pair can have any usual spelling", () => {
    const parser = createParamsParser(product.params, product.normalise);
    expect(parser.defaults.params).toEqual({ pair: "BTC/USD", crossings: 5 });
    const pairOf = (pair: string) => parser.fromQuery(new URLSearchParams({ pair }).toString()).params.pair;
    for (const text of ["btc", "$BTC", "XBT", "wbtc-usd", "BTC_USD", "btcusd", " BTC/USD "]) {
      expect(pairOf(text)).toBe("BTC/USD");
    }
    for (const text of ["BTCUSDT", "btc/usdt", "XBT-USDT"]) expect(pairOf(text)).toBe("BTC/USDT");
    expect(pairOf("WETHUSDT")).toBe("ETH/USDT");
  });

  test("an unknown base or quote is 422 and lists the pairs", () => {
    const parser = createParamsParser(product.params, product.normalise);
    for (const pair of ["PEPE", "BTC/EUR", "BTC/USDC", "USDT", "BTC/USD/USD", "/", "__proto__", "toString/USD", "-"]) {
      let thrown: unknown;
      try {
        parser.fromQuery(new URLSearchParams({ pair }).toString());
      } catch (error) {
        thrown = error;
      }
      if (!(thrown instanceof NodeError)) throw new Error(`"${pair}" was taken`);
      expect(thrown).toMatchObject({ status: 422, code: "invalid_parameter" });
      expect(thrown.options.details).toMatchObject({ parameter: "pair", got: pair });
      expect(thrown.options.details?.allowed).toHaveLength(20);
    }
  });

  test("the preview withholds prices and the matrix, and still matches the schema", () => {
    const redacted = product.preview.redact?.(vector.data);
    expect(Value.Check(product.data, redacted)).toBe(true);
    expect(redacted?.venues.every(({ bid, ask }) => bid === null && ask === null)).toBe(true);
    expect(redacted?.sizes.every(({ matrix, best }) => matrix === null && best !== null)).toBe(true);
  });

  test("on a simulated node four venues answer without licences and eight with them, one call each", async () => {
    for (const [licensed, count] of [
      [[], 4],
      [RESTRICTED, 8],
    ] as const) {
      const node = rig.createNode({ licensed });
      const few = await rig.run(node);
      expect(few.data.sizes[0]?.matrix).toHaveLength(5);
      node.clock.advance(60_000);
      const asked_before = Object.values(node.upstreams.status()).reduce((sum, { calls: made }) => sum + made, 0);
      const { data } = await rig.run(node, "crossings=200");
      const nets = (data.sizes[0]?.matrix ?? []).map(({ net_bps }) => net_bps);
      expect(nets).toEqual([...nets].sort((a, b) => b - a));
      expect(data.venues).toHaveLength(count);
      expect(data.venues.every(({ used }) => used)).toBe(true);
      expect(data.sizes[0]?.matrix).toHaveLength(count * (count - 1));
      expect(data.executable).toBe(false);
      const calls = Object.values(node.upstreams.status()).reduce((sum, { calls: made }) => sum + made, 0);
      // With venues that quote in USDT, its rate is asked for at three.
      expect(calls - asked_before).toBe(count + (licensed.length > 0 ? 3 : 0));
    }
  });

  test("all calls are under way before the first is answered", async () => {
    const node = rig.createNode({ licensed: RESTRICTED });
    const context = node.createContext();
    let waiting = 0;
    let most = 0;
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const get: typeof context.get = async (provider, request) => {
      waiting += 1;
      most = Math.max(most, waiting);
      if (waiting === 11) open();
      await gate;
      return context.get(provider, request);
    };
    await product.fetch({ ...context, get }, { pair: "BTC/USD" });
    expect(most).toBe(11);
  });
});
