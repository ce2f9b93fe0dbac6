import { describe, expect, test } from "bun:test";
import { createRecordedContext } from "../../../../test/helpers/product-harness.ts";
import { createPublishedLedger } from "../../../../test/helpers/signal-ledger.ts";
import { computeSinais } from "./compute.ts";
import { fetchSinais } from "./fetch.ts";

const NOW_MS = Date.parse("2026-11-01T06:00:00Z");
const read = async () => {
  const records = await createPublishedLedger({ scored: false });
  return fetchSinais(createRecordedContext({ now_ms: NOW_MS, bodies: {}, records }));
};

describe("the view of the ledger", () => {
  test("a share of hits is stated from 30 graded signals on", async () => {
    const inputs = await read();
    const stats = (n_scored: number, wins: number) => computeSinais({ ...inputs, n_scored, wins }).data.record_stats;
    expect(stats(29, 20)).toEqual({ n_scored: 29, win_rate: null, warning: "sample_too_small" });
    expect(stats(45, 27)).toEqual({ n_scored: 45, win_rate: 0.6, warning: null });
  });

  test("what a mark gains for a long signal it loses for a short one", async () => {
    const inputs = await read();
    const at_ms = NOW_MS - 1;
    const marks = new Map([
      ["BTC", { price: 64_640, at_ms }],
      ["ETH", { price: 2_020, at_ms }],
    ]);
    const { data, as_of_ms } = computeSinais({ ...inputs, now: { ...inputs.now, marks } });
    const gains = new Map(data.active.map(({ symbol, unrealised_bps }) => [symbol, unrealised_bps]));
    expect(gains).toEqual(
      new Map([
        ["SOL", null],
        ["ETH", -100],
        ["BTC", 100],
      ]),
    );
    expect(as_of_ms).toBe(at_ms);
  });

  test("signals written after its moment are not active in it", async () => {
    const inputs = await read();
    const at_ms = Date.parse("2026-11-01T02:00:00Z");
    const { data } = computeSinais({ ...inputs, now: { ...inputs.now, at_ms } });
    expect(data.active.map(({ symbol }) => symbol)).toEqual(["ETH", "BTC"]);
  });
});
