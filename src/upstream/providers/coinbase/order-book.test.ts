import { describe, expect, spyOn, test } from "bun:test";
import { createRecordedContext } from "../../../../test/helpers/product-harness.ts";
import { fc } from "../../../../test/helpers/properties.ts";
import { UpstreamError } from "../../../core/errors.ts";
import { fetchCoinbaseBook } from "./order-book.ts";

const NOW_MS = 1_790_000_000_000;

describe("Coinbase's whole book", () => {
  const AT = "2026-09-21T14:13:20Z";
  const fetchFrom = (text: string) => {
    const bodies = { "coinbase GET /products/BTC-USD/book?level=2": text };
    return fetchCoinbaseBook(createRecordedContext({ now_ms: NOW_MS, bodies }), "BTC");
  };
  const rowsOf = (count: number, step: number) =>
    Array.from({ length: count }, (_, index) => [(64_000 + step * (index + 1)).toFixed(2), "0.5", 3]);
  const textOf = (bids: number, asks: number, space?: number) =>
    JSON.stringify(
      { bids: rowsOf(bids, -0.01), asks: rowsOf(asks, 0.01), sequence: 1, auction_mode: false, time: AT },
      null,
      space,
    );

  test("is cut to the levels that are read, whatever its length and spacing", async () => {
    const sizes = fc.constantFrom(1, 2, 99, 100, 101, 102, 5_000);
    await fc.assert(
      fc.asyncProperty(sizes, sizes, fc.constantFrom(undefined, 1), async (bids, asks, space) => {
        const book = await fetchFrom(textOf(bids, asks, space));
        expect(book.bids).toHaveLength(Math.min(100, bids));
        expect(book.asks).toHaveLength(Math.min(100, asks));
        expect(book.bids[0]?.price).toBe(63_999.99);
        expect(book.asks.at(-1)?.price).toBeCloseTo(64_000 + 0.01 * Math.min(100, asks), 6);
        expect(book.at_ms).toBe(Date.parse(AT));
      }),
      { numRuns: 60 },
    );
  });

  test("what stands behind the levels counts as before: an auction, and a text that breaks off", async () => {
    const whole = textOf(5_000, 5_000);
    for (const text of [
      whole.replace('"auction_mode":false', '"auction_mode":true'),
      whole.slice(0, -40),
      whole.slice(0, whole.length / 3),
      "",
      "<html></html>",
    ]) {
      const error = await fetchFrom(text).catch((thrown: unknown) => thrown);
      expect(error instanceof UpstreamError && error.kind).toBe("upstream_bad_response");
    }
  });

  test("levels nobody reads are not parsed: their number costs nothing", async () => {
    const parse = spyOn(JSON, "parse");
    try {
      const text = textOf(50_000, 50_000);
      await fetchFrom(text);
      for (const [parsed] of parse.mock.calls) expect(String(parsed).length).toBeLessThan(20_000);
      expect(parse.mock.calls.length).toBeGreaterThan(0);
    } finally {
      parse.mockRestore();
    }
  });
});
