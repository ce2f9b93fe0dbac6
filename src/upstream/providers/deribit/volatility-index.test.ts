import { describe, expect, test } from "bun:test";
import { createRecordedContext } from "../../../../test/helpers/product-harness.ts";
import { fc } from "../../../../test/helpers/properties.ts";
import { createSimulatedNode } from "../../../../test/helpers/simulated-node.ts";
import { UpstreamError } from "../../../core/errors.ts";
import { DAY_MS } from "../bars.ts";
import { fetchVolatilityIndex } from "./volatility-index.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12, 34, 56);
const TODAY_MS = Date.UTC(2026, 9, 1);
const PATH = "/public/get_volatility_index_data";

type Row = readonly (number | null)[];
/** The documented answer: candles of [time in ms, open, high, low, close]. */
const answer = (data: readonly Row[]) => ({
  jsonrpc: "2.0",
  result: { data, continuation: null },
  usIn: 1_790_000_000_000_000,
  usOut: 1_790_000_000_000_400,
  usDiff: 400,
  testnet: false,
});
const ROWS: readonly Row[] = [
  [TODAY_MS - 2 * DAY_MS, 41.2, 43.9, 40.1, 42.5],
  [TODAY_MS - DAY_MS, 42.5, 44, 41.7, 43.21],
  [TODAY_MS, 43.21, 43.5, 43, 43.4],
];

const read = (body: unknown) => {
  const context = createRecordedContext({ now_ms: NOW_MS, bodies: { [`deribit GET ${PATH}`]: body } });
  return fetchVolatilityIndex(context, { currency: "BTC", days: 2 });
};
const refusalOf = async (body: unknown) => {
  const thrown = await read(body).catch((error: unknown) => error);
  if (!(thrown instanceof UpstreamError)) throw new Error(`expected a refusal, got ${JSON.stringify(thrown)}`);
  return thrown.kind;
};

describe("days of Deribit's volatility index", () => {
  test("are its closes in percent, without the open day", async () => {
    expect(await read(answer(ROWS))).toEqual([
      { t_ms: TODAY_MS - 2 * DAY_MS, close: 42.5 },
      { t_ms: TODAY_MS - DAY_MS, close: 43.21 },
    ]);
  });

  test("come oldest first whatever order they are sent in", async () => {
    expect(await read(answer([...ROWS].reverse()))).toEqual([...(await read(answer(ROWS)))]);
  });

  test("never include a day that ends after now", async () => {
    const starts = fc.array(fc.integer({ min: TODAY_MS - 9 * DAY_MS, max: NOW_MS }), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(starts, async (times) => {
        const closed = times.filter((t_ms) => t_ms + DAY_MS <= NOW_MS);
        const got = await read(answer(times.map((t_ms) => [t_ms, 50, 51, 49, 50]))).catch(() => []);
        expect(got.map(({ t_ms }) => t_ms)).toEqual(closed.sort((a, b) => a - b));
      }),
      { numRuns: 50 },
    );
  });

  const bad: readonly [string, unknown][] = [
    [
      "an error",
      { jsonrpc: "2.0", error: { message: "Invalid params", data: { param: "resolution" }, code: -32_602 } },
    ],
    ["too many requests", { jsonrpc: "2.0", error: { message: "too_many_requests", code: 10_028 } }],
    ["no candle", answer([])],
    ["the open day alone", answer(ROWS.slice(2))],
    ["a fraction in the place of percent", answer([[TODAY_MS - DAY_MS, 0.42, 0.44, 0.41, 0.43]])],
    ["a high below the close", answer([[TODAY_MS - DAY_MS, 42, 42, 41, 43]])],
    ["a missing close", answer([[TODAY_MS - DAY_MS, 42, 44, 41]])],
    ["a close of null", answer([[TODAY_MS - DAY_MS, 42, 44, 41, null]])],
    ["a candle of tomorrow", answer([...ROWS, [TODAY_MS + DAY_MS, 42, 44, 41, 43]])],
    ["a page in the place of JSON", "<html></html>"],
  ];
  test.each(bad)("are refused when the answer holds %s", async (_, body) => {
    expect(await refusalOf(body)).toBe("upstream_bad_response");
  });
});

describe("the simulated index", () => {
  test("is asked as the real one, moves with the market and is the same for everybody", async () => {
    const nodes = [1, 2].map(() => createSimulatedNode({ now_ms: NOW_MS, licensed: ["deribit"] }));
    const [one, other] = await Promise.all(
      nodes.map((node) => fetchVolatilityIndex(node.createContext(), { currency: "BTC", days: 20 })),
    );
    expect(one).toHaveLength(20);
    expect(one?.at(-1)?.t_ms).toBe(TODAY_MS - DAY_MS);
    expect(one).toEqual(other ?? []);
    expect(new Set(one?.map(({ close }) => close)).size).toBeGreaterThan(5);
    for (const node of nodes) node.close();
  });
});
