import { describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { type ProductRun, runProduct } from "../../../../test/helpers/product-harness.ts";
import { createParamsParser } from "../../../catalog/params.ts";
import { NodeError, UpstreamError } from "../../../core/errors.ts";
import { PYTH_FEEDS, PYTH_RECEIVERS } from "../../../upstream/providers/solana-rpc/pyth-feeds.ts";
import { REDSTONE_PROGRAM } from "../../../upstream/providers/solana-rpc/redstone-feeds.ts";
import { encodePythAccount, encodeRedStoneAccount } from "../../../upstream/providers/solana-rpc/simulated-accounts.ts";
import { product } from "./product.ts";
import { vector } from "./vector.ts";

const NOW_MS = 1_790_000_010_000;
const NOW_S = NOW_MS / 1000;
const RESTRICTED = ["coinbase", "binance", "okx", "bybit"];

const wrap = (data: Uint8Array, owner: string) => ({ data: [Buffer.from(data).toString("base64"), "base64"], owner });
const units = (price: number) => BigInt(Math.round(price * 1e8));

function pyth(feed_id: string, price: number, age_s: number) {
  const time = BigInt(NOW_S - age_s);
  const data = encodePythAccount({
    feed_id,
    price: units(price),
    conf: units(price * 0.0005),
    exponent: -8,
    publish_time_s: time,
    prev_publish_time_s: time,
    ema_price: units(price),
    ema_conf: units(price * 0.0005),
    posted_slot: 370_000_000n,
  });
  return wrap(data, PYTH_RECEIVERS.classic);
}

function redstone(feed: string, price: number, age_s: number) {
  const timestamp_ms = BigInt((NOW_S - age_s) * 1000);
  const fields = { feed, value: units(price), timestamp_ms, write_timestamp_ms: null, write_slot: 1n, decimals: 8 };
  return wrap(encodeRedStoneAccount(fields), REDSTONE_PROGRAM);
}

interface Ages {
  readonly pyth?: number;
  readonly usdt?: number;
  readonly redstone?: number;
}

/** Pyth BTC in the older of the two programs only, Pyth USDT likewise, RedStone BTC. */
const solana = ({ pyth: pyth_s = 10, usdt = 10, redstone: redstone_s = 20 }: Ages = {}) => ({
  "solana_rpc POST solana": {
    jsonrpc: "2.0",
    id: 1,
    result: {
      context: { slot: 370_000_020 },
      value: [
        pyth(PYTH_FEEDS.BTC.feed_id, 64_000, pyth_s),
        null,
        pyth(PYTH_FEEDS.USDT.feed_id, 0.9998, usdt),
        null,
        redstone("BTC", 64_010, redstone_s),
      ],
    },
  },
});

interface Call {
  readonly params: readonly [{ readonly data: string }];
}
const isCall = (body: unknown): body is Call => typeof body === "object" && body !== null && "params" in body;
const word = (value: bigint) => value.toString(16).padStart(64, "0");

const chainlink = (chain: string, age_s: number, price = 63_950) => ({
  [`evm_rpc POST ${chain}`]: (request: { body: unknown }) => {
    const is_decimals = isCall(request.body) && request.body.params[0].data === "0x313ce567";
    const time = word(BigInt(NOW_S - age_s));
    const result = is_decimals ? word(8n) : `${word(1n)}${word(units(price))}${time}${time}${word(1n)}`;
    return { jsonrpc: "2.0", id: 1, result: `0x${result}` };
  },
});

const book = (price: number) => ({ bid: String(price - 0.5), ask: String(price + 0.5) });
const kraken = (pair: string, bid: number, ask: number, age_s = 2) => ({
  [`kraken GET /0/public/Depth?pair=${pair}`]: {
    error: [],
    result: { KEY: { asks: [[String(ask), "1", NOW_S - age_s]], bids: [[String(bid), "1", NOW_S - 900]] } },
  },
});
const VENUES = {
  ...kraken("XBTUSD", 64_004.5, 64_005.5),
  "bitstamp GET /api/v2/ticker/btcusd/": { timestamp: String(NOW_S - 1), ...book(64_002) },
  "gemini GET /v1/book/btcusd": {
    bids: [{ price: "64019.5", amount: "1" }],
    asks: [{ price: "64020.5", amount: "1" }],
  },
  "cryptocom GET /public/get-book?instrument_name=BTC_USD": {
    code: 0,
    result: { data: [{ bids: [["66499.5", "1", "1"]], asks: [["66500.5", "1", "1"]], t: NOW_MS - 1_000 }] },
  },
};
const OKX = {
  "okx GET /api/v5/market/ticker?instId=BTC-USDT": {
    code: "0",
    data: [{ instId: "BTC-USDT", bidPx: "64014.5", askPx: "64015.5", ts: String(NOW_MS) }],
  },
};
const ALL = { ...solana(), ...chainlink("base", 600), ...VENUES };

const run = (bodies: ProductRun["bodies"], options: { unusable?: string[]; symbol?: string } = {}) =>
  runProduct(product, {
    now_ms: NOW_MS,
    bodies,
    params: { symbol: options.symbol ?? "BTC" },
    unusable: options.unusable ?? RESTRICTED,
  });
const detailOf = (result: Awaited<ReturnType<typeof run>>, source: string) => {
  const list = result.data.sources_detail;
  return Array.isArray(list) ? list.find((detail) => detail.source === source) : undefined;
};

describe("GET /oracle-consensus", () => {
  test("gives the published vector from the sources' own bytes and bodies", async () => {
    const { data, warnings, as_of, sources } = await run(ALL);
    expect(data).toEqual(vector.data);
    expect(warnings).toEqual(["sources_detail[gemini].age_s: the source states no time"]);
    expect(as_of).toBe("2026-09-21T14:13:29Z");
    expect(sources.every(({ ok }) => ok)).toBe(true);
  });

  test("the symbol can have any usual spelling, SOL being the default", () => {
    const parser = createParamsParser(product.params, product.normalise);
    expect(parser.defaults.params).toEqual({ symbol: "SOL" });
    for (const text of ["btc", " BTC ", "$btc", "XBT", "WBTC", "cbBTC", "BTC/USD", "btc-usd", "BTC_USD"]) {
      const { params, key } = parser.fromQuery(new URLSearchParams({ symbol: text }).toString());
      expect([params.symbol, key]).toEqual(["BTC", '{"symbol":"BTC"}']);
    }
    expect(parser.fromQuery("symbol=weth").params).toEqual({ symbol: "ETH" });
  });

  test("an unknown symbol or another quote is 422 and lists the known ones", () => {
    const parser = createParamsParser(product.params, product.normalise);
    for (const text of ["DOGE", "BTC/EUR", "BTCEUR", "$", "BTC/USD/USD", "__proto__", "CONSTRUCTOR", "toString"]) {
      let thrown: unknown;
      try {
        parser.fromQuery(new URLSearchParams({ symbol: text }).toString());
      } catch (error) {
        thrown = error;
      }
      if (!(thrown instanceof NodeError)) throw new Error(`"${text}" was taken`);
      expect(thrown).toMatchObject({ status: 422, code: "invalid_parameter" });
      expect(thrown.options.details).toMatchObject({ parameter: "symbol", got: text, allowed: ["SOL", "BTC", "ETH"] });
    }
  });

  test("restricted venues are not even listed unless allowed; then USDT is converted", async () => {
    expect(detailOf(await run({ ...ALL, ...OKX }), "okx")).toBeUndefined();
    const unusable = RESTRICTED.filter((id) => id !== "okx");
    const allowed = await run({ ...ALL, ...OKX }, { unusable });
    expect(detailOf(allowed, "okx")).toMatchObject({ raw_price: 64_015, price: 64_002.197, weight: 0.7, used: true });
  });

  test("without a fresh USDT price of the oracle Kraken's is taken", async () => {
    const unusable = RESTRICTED.filter((id) => id !== "okx");
    const bodies = { ...ALL, ...OKX, ...solana({ usdt: 121 }) };
    const { data } = await run({ ...bodies, ...kraken("USDTUSD", 0.9996, 0.9998) }, { unusable });
    expect(data.usdt_usd).toBe(0.9997);
    expect((await run(bodies, { unusable })).data.usdt_usd).toBeNull();
    const old = kraken("USDTUSD", 0.9996, 0.9998, 121);
    expect((await run({ ...bodies, ...old }, { unusable })).data.usdt_usd).toBeNull();
  });

  test("a stale oracle beside a fresh one is shown and not used", async () => {
    const old_pyth = await run({ ...ALL, ...solana({ pyth: 121 }) });
    expect(detailOf(old_pyth, "pyth")).toMatchObject({ used: false, reason: "stale", price: 64_000, age_s: 121 });
    expect(detailOf(old_pyth, "redstone")?.used).toBe(true);
    const old_redstone = await run({ ...ALL, ...solana({ redstone: 181 }) });
    expect(detailOf(old_redstone, "redstone")).toMatchObject({ used: false, reason: "stale", age_s: 181 });
  });

  test("a node with nothing but stale accounts is refused as a source", async () => {
    const result = await run({ ...ALL, ...solana({ pyth: 8 * 86_400, redstone: 8 * 86_400 }) });
    expect(detailOf(result, "pyth")).toMatchObject({ used: false, reason: "error", price: null });
    expect(result.sources.find(({ provider }) => provider === "solana_rpc")?.ok).toBe(false);
    expect(result.data).toMatchObject({ n_oracles: 1, verdict: "agree" });
  });

  test("Chainlink is read on Ethereum when Base fails or is over an hour old, and the newer answer wins", async () => {
    const without_base = { ...solana(), ...VENUES, ...chainlink("ethereum", 700, 63_960) };
    expect(detailOf(await run(without_base), "chainlink")).toMatchObject({ price: 63_960, used: true });
    const old_base = await run({ ...without_base, ...chainlink("base", 3_601) });
    expect(detailOf(old_base, "chainlink")).toMatchObject({ price: 63_960, age_s: 700 });
    const both_old = await run({ ...ALL, ...chainlink("base", 3_601), ...chainlink("ethereum", 3_700) });
    expect(detailOf(both_old, "chainlink")).toMatchObject({ price: 63_950, used: false, reason: "stale" });
    const young_base = await run({ ...without_base, ...chainlink("base", 3_600) });
    expect(detailOf(young_base, "chainlink")).toMatchObject({ price: 63_950, age_s: 3_600, used: true });
  });

  test("a Chainlink feed that missed its heartbeat by half counts as failed", async () => {
    const at = async (age_s: number) => detailOf(await run({ ...ALL, ...chainlink("base", age_s) }), "chainlink");
    expect(await at(129_600)).toMatchObject({ reason: "stale", price: 63_950 });
    expect(await at(129_601)).toMatchObject({ reason: "error", price: null });
  });

  test("a price without a stated time is not sold on its own", async () => {
    const gemini = { "gemini GET /v1/book/btcusd": VENUES["gemini GET /v1/book/btcusd"] };
    const error = await run(gemini).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ status: 503 });
    const with_kraken = await run({ ...gemini, ...kraken("XBTUSD", 64_004.5, 64_005.5) });
    expect(with_kraken.data).toMatchObject({ n_kept: 2, verdict: "insufficient" });
    const old_kraken = await run({ ...gemini, ...kraken("XBTUSD", 64_004.5, 64_005.5, 31) }).catch(String);
    expect(old_kraken).toContain("NodeError");
  });

  test("a venue's stated time counts: older than 30 s is stale", async () => {
    const at = (age_s: number) => ({
      "bitstamp GET /api/v2/ticker/btcusd/": { timestamp: String(NOW_S - age_s), ...book(64_002) },
    });
    expect(detailOf(await run({ ...ALL, ...at(30) }), "bitstamp")?.used).toBe(true);
    expect(detailOf(await run({ ...ALL, ...at(31) }), "bitstamp")).toMatchObject({ used: false, reason: "stale" });
  });

  test("every fault of every source leaves an answer from the others", async () => {
    const faults: unknown[] = [
      new UpstreamError("upstream_timeout", "x", "late"),
      new UpstreamError("upstream_rate_limited", "x", "429"),
      new UpstreamError("upstream_unavailable", "x", "500"),
      new UpstreamError("upstream_bad_response", "x", "HTML where JSON is due"),
      { hello: "world" },
      {},
      [],
      null,
      { error: null, result: null, jsonrpc: null, bids: null, asks: null, bid: null, ask: null, timestamp: null },
    ];
    for (const key of Object.keys(ALL)) {
      for (const fault of faults) {
        const { data, warnings } = await run({ ...ALL, [key]: fault });
        expect(data.n_kept).toBeGreaterThanOrEqual(4);
        expect(warnings.join()).toContain("no usable answer");
        expect(JSON.stringify(data)).not.toContain("NaN");
      }
    }
  });

  test("with every source down it is 503", async () => {
    const error = await run({}).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ status: 503, code: "upstream_unavailable" });
  });

  test("the preview withholds raw prices and still matches the schema", async () => {
    const { data } = await run(ALL);
    const parsed = Value.Parse(product.data, data);
    const redacted = product.preview.redact?.(parsed);
    expect(redacted?.sources_detail.map(({ raw_price }) => raw_price)).toEqual(Array(7).fill(null));
    expect(Value.Check(product.data, redacted)).toBe(true);
    expect(redacted?.consensus_usd).toBe(64_002);
  });

  test("the description fits into what facilitators accept", () => {
    expect(product.description.length).toBeLessThanOrEqual(450);
  });
});
