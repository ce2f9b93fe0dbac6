import { expect, test } from "bun:test";
import type { Outcome } from "../../catalog/failover.ts";
import { NodeError, UpstreamError } from "../../core/errors.ts";
import type { BarSeries } from "./bar-series.ts";
import { describeMissingBars, listMissingBars } from "./missing-bars.ts";

const failed = (error: unknown): Outcome<BarSeries> => ({ ok: false, error });
const read: Outcome<BarSeries> = {
  ok: true,
  value: { symbol: "BTC", interval: "1d", provider: "kraken", fetched_at_ms: 0, bars: [] },
};

test("a history that does not exist is distinguished from one that could not be read", () => {
  const outcomes = [
    read,
    failed(new UpstreamError("upstream_not_found", "candles", "there are no 182 1d bars of NEW")),
    failed(new NodeError("upstream_unavailable", "Nobody answered.")),
    failed(new UpstreamError("upstream_bad_response", "kraken", "a price of zero")),
  ];
  const missing = listMissingBars(["BTC", "NEW", "ETH", "SOL"], outcomes);
  expect(missing).toEqual([
    { symbol: "NEW", why: "absent" },
    { symbol: "ETH", why: "unread" },
    { symbol: "SOL", why: "unread" },
  ]);
  expect(describeMissingBars("symbols", "daily bars", missing)).toEqual([
    "symbols: nobody has enough daily bars of NEW",
    "symbols: daily bars of ETH, SOL could not be read",
  ]);
  expect(describeMissingBars("symbols", "daily bars", [])).toEqual([]);
});
