import { afterEach, describe, expect, test } from "bun:test";
import { createRecordedContext } from "../../../test/helpers/product-harness.ts";
import { fc } from "../../../test/helpers/properties.ts";
import { createSimulatedNode, type SimulatedNode } from "../../../test/helpers/simulated-node.ts";
import { NodeError, UpstreamError } from "../../core/errors.ts";
import { fetchBybitFunding } from "./bybit/funding.ts";
import { FUNDING_PROVIDERS, fetchCoinFunding } from "./funding-venues.ts";
import { fetchOkxFunding } from "./okx/funding.ts";

const NOW_MS = 1_790_000_000_000;
const HOUR_MS = 3_600_000;
const BROKEN = [null, [], {}, "<html></html>"];
const BAD = "upstream_bad_response";

const kindOf = async (call: Promise<unknown>) => {
  const error = await call.catch((thrown: unknown) => thrown);
  return error instanceof UpstreamError ? error.kind : `no error: ${JSON.stringify(error)}`;
};

describe("Bybit's perpetual futures", () => {
  const ticker = (change: object = {}) => ({
    symbol: "BTCUSDT",
    lastPrice: "84540.10",
    indexPrice: "84577.20",
    markPrice: "84543.00",
    prevPrice24h: "83995.00",
    openInterest: "104000.5",
    openInterestValue: "8792514271.50",
    singleOpenInterest: "52000.25",
    fundingRate: "0.0001",
    fundingIntervalHour: "8",
    nextFundingTime: "1790006400000",
    bid1Price: "84540.10",
    ask1Price: "84540.20",
    ...change,
  });
  const answer = (list: readonly unknown[]) => ({
    retCode: 0,
    retMsg: "OK",
    result: { category: "linear", list },
    retExtInfo: {},
    time: NOW_MS,
  });
  const read = (body: unknown) => {
    const key = "bybit GET /v5/market/tickers?category=linear&symbol=BTCUSDT";
    return fetchBybitFunding(createRecordedContext({ now_ms: NOW_MS, bodies: { [key]: body } }), "BTC");
  };

  test("funding is per hour, open interest of one side", async () => {
    const { rate_1h_frac, open_interest_usd, symbol } = await read(answer([ticker()]));
    expect(symbol).toBe("BTC");
    expect(rate_1h_frac).toBeCloseTo(0.0001 / 8, 15);
    expect(open_interest_usd).toBeCloseTo(52_000.25 * 84_543, 3);
    expect((await read(answer([ticker({ fundingIntervalHour: "4" })]))).rate_1h_frac).toBeCloseTo(0.0001 / 4, 15);
    expect((await read(answer([ticker({ fundingRate: "-0.0001" })]))).rate_1h_frac).toBeCloseTo(-0.0001 / 8, 15);
  });

  test("what cannot be told is refused", async () => {
    const bodies = [
      ...[
        { singleOpenInterest: undefined },
        { singleOpenInterest: "0" },
        { fundingIntervalHour: undefined },
        { fundingIntervalHour: "0" },
        { fundingRate: "" },
        { fundingRate: "0.4" },
        { symbol: "ETHUSDT" },
      ].map((change) => answer([JSON.parse(JSON.stringify(ticker(change)))])),
      answer([]),
      { retCode: 10_006, retMsg: "Too many visits!", result: {}, retExtInfo: {}, time: NOW_MS },
      { retCode: 10_006, retMsg: "Too many visits!", result: {}, retExtInfo: {}, time: NOW_MS },
      ...BROKEN,
    ];
    for (const body of bodies) expect(await kindOf(read(body))).toBe(BAD);
  });
});

describe("OKX's perpetual futures", () => {
  const ends_ms = Math.ceil(NOW_MS / (8 * HOUR_MS)) * 8 * HOUR_MS;
  const rate = (change: object = {}) => ({
    code: "0",
    msg: "",
    data: [
      {
        formulaType: "withRate",
        fundingRate: "0.0001",
        fundingTime: String(ends_ms),
        instId: "BTC-USDT-SWAP",
        instType: "SWAP",
        interestRate: "0.0001",
        maxFundingRate: "0.00375",
        method: "current_period",
        minFundingRate: "-0.00375",
        nextFundingRate: "",
        nextFundingTime: String(ends_ms + 8 * HOUR_MS),
        premium: "0.00005",
        settFundingRate: "0.00009",
        settState: "settled",
        ts: String(NOW_MS),
        ...change,
      },
    ],
  });
  const interest = (change: object = {}) => ({
    code: "0",
    msg: "",
    data: [
      {
        instId: "BTC-USDT-SWAP",
        instType: "SWAP",
        oi: "3000000",
        oiCcy: "30000",
        oiUsd: "2536290000.5",
        ts: String(NOW_MS),
        ...change,
      },
    ],
  });
  const read = (rates: unknown, interests: unknown) =>
    fetchOkxFunding(
      createRecordedContext({
        now_ms: NOW_MS,
        bodies: {
          "okx GET /api/v5/public/funding-rate?instId=BTC-USDT-SWAP": rates,
          "okx GET /api/v5/public/open-interest?instType=SWAP&instId=BTC-USDT-SWAP": interests,
        },
      }),
      "BTC",
    );

  test("funding is per hour of the interval between its two times, whatever its length", async () => {
    expect(await read(rate(), interest())).toEqual({
      symbol: "BTC",
      rate_1h_frac: 0.0001 / 8,
      open_interest_usd: 2_536_290_000.5,
    });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(1, 2, 4, 8, 12, 24), async (hours) => {
        const got = await read(rate({ nextFundingTime: String(ends_ms + hours * HOUR_MS) }), interest());
        expect(got.rate_1h_frac * hours).toBeCloseTo(0.0001, 12);
      }),
    );
  });

  test("what cannot be told, or is over, is refused", async () => {
    const past = String(ends_ms - 8 * HOUR_MS);
    const failed = { code: "50011", msg: "Too Many Requests", data: [] };
    for (const body of [
      rate({ nextFundingTime: String(ends_ms) }),
      rate({ fundingTime: past, nextFundingTime: String(ends_ms) }),
      rate({ fundingRate: "" }),
      rate({ fundingRate: "9" }),
      rate({ instId: "ETH-USDT-SWAP" }),
      failed,
      ...BROKEN,
    ]) {
      expect(await kindOf(read(body, interest()))).toBe(BAD);
    }
    for (const body of [
      interest({ oiUsd: "0" }),
      interest({ oiUsd: "" }),
      interest({ ts: String(NOW_MS - 600_001) }),
      interest({ instId: "ETH-USDT-SWAP" }),
      failed,
      ...BROKEN,
    ]) {
      expect(await kindOf(read(rate(), body))).toBe(BAD);
    }
  });
});

describe("funding of a coin", () => {
  const nodes: SimulatedNode[] = [];
  afterEach(() => {
    for (const node of nodes.splice(0)) node.close();
  });
  const createNode = (licensed: readonly string[]) => {
    const node = createSimulatedNode({ now_ms: NOW_MS, licensed });
    nodes.push(node);
    return node;
  };

  test("falls back from Hyperliquid on Bybit and OKX, which are about alike", async () => {
    const node = createNode(["bybit", "okx"]);
    const rates: number[] = [];
    for (const { id } of FUNDING_PROVIDERS) {
      const context = node.createContext();
      rates.push((await fetchCoinFunding(context, "BTC")).rate_1h_frac);
      expect(context.sources().findLast(({ ok }) => ok)?.provider).toBe(id);
      node.upstreams.setFault(id, "http500");
      node.clock.advance(60_000);
    }
    expect(new Set(rates).size).toBe(3);
    expect(Math.max(...rates) - Math.min(...rates)).toBeLessThan(0.00001);
    expect(await fetchCoinFunding(node.createContext(), "BTC").catch((error: unknown) => error)).toBeInstanceOf(
      NodeError,
    );
  });

  test("a coin one venue lacks is asked of the next", async () => {
    const node = createNode(["okx"]);
    const context = node.createContext();
    // By a name Hyperliquid does not have.
    expect((await fetchCoinFunding(context, "ETH", "NONE")).symbol).toBe("ETH");
    expect(context.sources().find(({ ok }) => ok)?.provider).toBe("okx");
  });

  test("without a licence only Hyperliquid is asked", async () => {
    const node = createNode([]);
    node.upstreams.setFault("hyperliquid", "http500");
    await fetchCoinFunding(node.createContext(), "BTC").catch(() => undefined);
    for (const id of ["bybit", "okx"]) expect(node.upstreams.status()[id]?.calls ?? 0).toBe(0);
  });
});
