import { describe, expect, test } from "bun:test";
import { createRecordedContext } from "../../../../test/helpers/product-harness.ts";
import { UpstreamError } from "../../../core/errors.ts";
import { fetchCoinmarketcapIndex } from "./fear-greed.ts";
import { coinmarketcap } from "./provider.ts";

const UPDATED = "2026-08-19T02:54:56.017Z";
const NOW_MS = Date.parse(UPDATED) + 600_000;

/** The documented shape. */
const answer = (change: object = {}) => ({
  data: { value: 40, value_classification: "Neutral", update_time: UPDATED, ...change },
  status: { timestamp: UPDATED, error_code: 0, error_message: "", elapsed: 10, credit_count: 1 },
});
const read = (body: unknown, now_ms = NOW_MS) =>
  fetchCoinmarketcapIndex(
    createRecordedContext({ now_ms, bodies: { "coinmarketcap GET /v3/fear-and-greed/latest": body } }),
  );
const kindOf = async (body: unknown, now_ms?: number) => {
  const error = await read(body, now_ms).catch((thrown: unknown) => thrown);
  return error instanceof UpstreamError ? error.kind : error;
};

describe("CoinMarketCap", () => {
  test("a value sent as a number or as a string gives the same reading", async () => {
    const expected = {
      rows: [{ value: 40, classification: "Neutral", at_ms: Date.parse(UPDATED) }],
      next_update_at_ms: null,
    };
    expect(await read(answer())).toEqual(expected);
    expect(await read(answer({ value: "40" }))).toEqual(expected);
  });

  test("a value older than 48 h is refused", async () => {
    expect(await kindOf(answer(), Date.parse(UPDATED) + 172_800_001)).toBe("upstream_bad_response");
  });

  test("nulls, other shapes and dates that cannot be read are refused", async () => {
    const bodies = [
      answer({ value: null }),
      answer({ value: 101 }),
      answer({ value: 40.5 }),
      answer({ update_time: null }),
      answer({ update_time: "2026-13-45T99:99:99Z" }),
      { status: { error_code: 1002 } },
      {},
      [],
    ];
    for (const body of bodies) expect(await kindOf(body)).toBe("upstream_bad_response");
  });

  test("the key goes into a header, never into the address", () => {
    expect(coinmarketcap.key).toEqual({ required: true, in: "header", name: "X-CMC_PRO_API_KEY" });
  });
});
