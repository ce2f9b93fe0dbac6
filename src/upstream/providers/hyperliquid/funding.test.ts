import { describe, expect, test } from "bun:test";
import { createRecordedContext } from "../../../../test/helpers/product-harness.ts";
import { UpstreamError } from "../../../core/errors.ts";
import { fetchFunding } from "./funding.ts";

/** The documented entry; values are the documented ones. */
const entry = (change: object = {}) => ({
  funding: "0.0000073111",
  openInterest: "37470.12454",
  prevDayPx: "83995.0",
  dayNtlVlm: "1134990950.9",
  premium: "-0.000390177",
  oraclePx: "84577.0",
  markPx: "84543.0",
  midPx: "84543.5",
  impactPxs: ["84543.0", "84544.0"],
  dayBaseVlm: "13415.0319",
  ...change,
});
const answer = (names: readonly string[], entries: readonly unknown[]) => [
  { universe: names.map((name) => ({ name, szDecimals: 5, maxLeverage: 40 })) },
  entries,
];
const read = (body: unknown, symbols = ["BTC"]) =>
  fetchFunding(createRecordedContext({ now_ms: 0, bodies: { "hyperliquid POST /info": body } }), symbols);
const kindOf = async (body: unknown, symbols?: string[]) => {
  const error = await read(body, symbols).catch((thrown: unknown) => thrown);
  return error instanceof UpstreamError ? error.kind : error;
};

describe("Hyperliquid funding", () => {
  test("coins are found by name and open interest is in US dollars", async () => {
    const body = answer(["ETH", "BTC"], [entry({ funding: "-0.00001", openInterest: "2", markPx: "3000" }), entry()]);
    expect(await read(body, ["BTC", "ETH"])).toEqual([
      { symbol: "BTC", rate_1h_frac: 0.0000073111, open_interest_usd: 37_470.12454 * 84_543 },
      { symbol: "ETH", rate_1h_frac: -0.00001, open_interest_usd: 6_000 },
    ]);
  });

  test("nulls of a delisted coin do no harm", async () => {
    const gone = entry({ midPx: null, premium: null, impactPxs: null, markPx: null });
    expect(await read(answer(["OLD", "BTC"], [gone, entry()]))).toHaveLength(1);
  });

  test("a coin that is missing, null, without open interest or beyond the cap is refused", async () => {
    const bodies = [
      answer(["ETH"], [entry()]),
      answer(["BTC"], [null]),
      answer(["BTC"], [entry({ funding: null })]),
      answer(["BTC"], [entry({ openInterest: "0.0" })]),
      answer(["BTC"], [entry({ funding: "0.05" })]),
      answer(["BTC", "ETH"], [entry()]),
      answer([], []),
      [],
      {},
      null,
    ];
    for (const body of bodies) expect(await kindOf(body)).toBe("upstream_bad_response");
  });
});
