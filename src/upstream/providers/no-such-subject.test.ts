import { afterEach, describe, expect, test } from "bun:test";
import { createSimulatedNode, type SimulatedNode } from "../../../test/helpers/simulated-node.ts";
import type { FetchContext } from "../../catalog/context.ts";
import { UpstreamError } from "../../core/errors.ts";
import { BOOK_VENUES } from "./book-venues.ts";
import { fetchBybitFunding } from "./bybit/funding.ts";
import { CANDLE_VENUES } from "./candle-venues.ts";
import { fetchVolatilityIndex } from "./deribit/volatility-index.ts";
import { fetchKrakenShareToken } from "./kraken/share-token.ts";
import { fetchOkxFunding } from "./okx/funding.ts";
import { SPOT_VENUES } from "./spot-venues.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12, 34, 56);

/** What each venue sends for a pair it does not list, as others recorded or documented it. */
const SAID: Readonly<Record<string, readonly { readonly status: number; readonly body: unknown }[]>> = {
  binance: [{ status: 400, body: { code: -1121, msg: "Invalid symbol." } }],
  bitstamp: [{ status: 404, body: { status: "error", reason: "Currency pair not found", code: "404.002" } }],
  bybit: [
    { status: 200, body: { retCode: 10001, retMsg: "Not supported symbols", result: {}, retExtInfo: {}, time: 1 } },
    { status: 200, body: { retCode: 10001, retMsg: "params error: Symbol Is Invalid", result: {}, time: 1 } },
  ],
  coinbase: [{ status: 404, body: { message: "NotFound" } }],
  cryptocom: [{ status: 400, body: { code: 40004, message: "Invalid instrument_name" } }],
  deribit: [
    {
      status: 400,
      body: {
        jsonrpc: "2.0",
        error: { message: "Invalid params", data: { reason: "", param: "currency" }, code: -32602 },
      },
    },
  ],
  gemini: [
    {
      status: 400,
      body: { result: "error", reason: "InvalidSymbol", message: "Received unsupported symbol 'nosuchusd'" },
    },
  ],
  kraken: [{ status: 200, body: { error: ["EQuery:Unknown asset pair"] } }],
  okx: [
    {
      status: 200,
      body: { code: "51001", msg: "Instrument ID, Instrument ID code, or Spread ID doesn't exist.", data: [] },
    },
  ],
};

/** What venues say of a request that is wrong otherwise: that is no answer about the pair. */
const OTHER: typeof SAID = {
  binance: [{ status: 400, body: { code: -1120, msg: "Invalid interval." } }],
  bybit: [{ status: 200, body: { retCode: 10001, retMsg: "params error: category is invalid", result: {}, time: 1 } }],
  cryptocom: [{ status: 400, body: { code: 40004, message: "Invalid depth" } }],
  gemini: [{ status: 400, body: { result: "error", reason: "InvalidLimit", message: "x" } }],
  kraken: [{ status: 200, body: { error: ["EGeneral:Invalid arguments"] } }],
  okx: [{ status: 200, body: { code: "51000", msg: "Parameter bar error", data: [] } }],
};

type Ask = (context: FetchContext) => Promise<unknown>;
const COIN = "NOSUCH";
const bars = { base: COIN, interval: "1d", count: 2 } as const;
/** Every reader of a venue that is asked for one pair. */
const READERS: readonly (readonly [string, string, Ask])[] = [
  ...CANDLE_VENUES.filter(({ provider }) => provider.id !== "hyperliquid").map(
    ({ provider, fetchBars }) => [provider.id, "candles", (context: FetchContext) => fetchBars(context, bars)] as const,
  ),
  ...BOOK_VENUES.map(
    ({ provider, fetchBook }) => [provider.id, "book", (context: FetchContext) => fetchBook(context, COIN)] as const,
  ),
  ...SPOT_VENUES.map(
    ({ provider, fetchQuote }) => [provider.id, "quote", (context: FetchContext) => fetchQuote(context, COIN)] as const,
  ),
  ["kraken", "share token", (context) => fetchKrakenShareToken(context, COIN)],
  ["bybit", "funding", (context) => fetchBybitFunding(context, COIN)],
  ["okx", "funding", (context) => fetchOkxFunding(context, COIN)],
  ["deribit", "volatility", (context) => fetchVolatilityIndex(context, { currency: "NOSUCH" as "BTC", days: 2 })],
];

const nodes: SimulatedNode[] = [];
afterEach(() => {
  for (const node of nodes.splice(0)) node.close();
});

async function kindsOf(ask: Ask, id: string, { status, body }: { status: number; body: unknown }, times = 1) {
  const bend = () => Response.json(body, { status });
  const node = createSimulatedNode({ now_ms: NOW_MS, licensed: [id], bend });
  nodes.push(node);
  const kinds: unknown[] = [];
  for (let turn = 0; turn < times; turn += 1) {
    const error = await ask(node.createContext()).catch((thrown: unknown) => thrown);
    kinds.push(error instanceof UpstreamError ? error.kind : error);
    node.clock.advance(3_000);
  }
  return { kinds: new Set(kinds), calls: node.upstreams.status()[id]?.calls };
}

for (const [id, what, ask] of READERS) {
  describe(`${id}, ${what}`, () => {
    test("a pair it does not list is not found, however often, and never opens its breaker", async () => {
      for (const said of SAID[id] ?? []) {
        const { kinds, calls } = await kindsOf(ask, id, said, 12);
        expect([...kinds]).toEqual(["upstream_not_found"]);
        expect(calls).toBeGreaterThanOrEqual(12);
      }
    });

    test("another error of its own is none", async () => {
      for (const said of OTHER[id] ?? [])
        expect([...(await kindsOf(ask, id, said)).kinds]).toEqual(["upstream_bad_response"]);
    });
  });
}

test("every venue that is asked for one pair has its words here", () => {
  expect([...new Set(READERS.map(([id]) => id))].sort()).toEqual(Object.keys(SAID).sort());
});
