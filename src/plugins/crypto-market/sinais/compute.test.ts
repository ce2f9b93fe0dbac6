import { describe, expect, test } from "bun:test";
import { createRecordedContext } from "../../../../test/helpers/product-harness.ts";
import { asSold } from "../../../../test/helpers/settled.ts";
import { createPublishedLedger } from "../../../../test/helpers/signal-ledger.ts";
import type { Graded } from "../signals/performance.ts";
import { computeSinais as draft } from "./compute.ts";
import { fetchSinais } from "./fetch.ts";
import { SinaisSchema } from "./schema.ts";

const computeSinais = asSold(SinaisSchema, draft);

/** Graded signals, the first of them hits of 50 basis points. */
const createGraded = (n: number, wins: number, { side = "long", lost_bps = 50 }: Partial<Lost> = {}): Graded[] =>
  Array.from({ length: n }, (_, index) => ({
    symbol: "BTC",
    side,
    confidence: 42,
    emitted_at_ms: index,
    exit_at_ms: index,
    long_hit: true,
    hit: index < wins,
    net_bps: index < wins ? 50 : -lost_bps,
  }));
interface Lost {
  readonly side: Graded["side"];
  readonly lost_bps: number;
}

const NOW_MS = Date.parse("2026-11-01T06:00:00Z");
const read = async () => {
  const records = await createPublishedLedger({ scored: false });
  return fetchSinais(createRecordedContext({ now_ms: NOW_MS, bodies: {}, records }));
};

describe("the view of the ledger", () => {
  test("a share of hits is stated from 30 graded signals on", async () => {
    const inputs = await read();
    const stats = (n: number, wins: number) =>
      computeSinais({ ...inputs, graded: createGraded(n, wins) }).data.record_stats;
    expect(stats(29, 20)).toMatchObject({ n_scored: 29, win_rate: null, warning: "sample_too_small" });
    expect(stats(45, 27)).toMatchObject({ n_scored: 45, win_rate: 0.6, lo95: 0.4545, hi95: 0.7298 });
  });

  test("a figure of the record that is not known yet says why", async () => {
    const inputs = await read();
    const said = (n: number) =>
      computeSinais({ ...inputs, graded: createGraded(n, n) }).warnings.filter((one) => one.startsWith("record_stats"));
    const sides = "record_stats.by_side[]";
    expect(said(0)).toEqual(["record_stats (12 figures): no such signal was graded yet"]);
    // All are of one side, so that the other is empty.
    expect(said(29)).toEqual([
      "record_stats (6 figures): fewer than 30 such signals were graded yet",
      `${sides}.win_rate, ${sides}.lo95, ${sides}.hi95, ${sides}.mean_net_bps: no such signal was graded yet`,
    ]);
    expect(said(30)).toHaveLength(1);
  });

  test("signals are shown with what their own record says against them, each side apart", async () => {
    const inputs = await read();
    const judge = (graded: readonly Graded[]) => computeSinais({ ...inputs, graded });
    const warningOf = (graded: readonly Graded[]) => judge(graded).data.record_stats.warning;
    expect(warningOf(createGraded(45, 27))).toBe("not_told_apart_from_a_coin");
    expect(warningOf(createGraded(100, 30))).toBe("worse_than_a_coin");
    expect(warningOf(createGraded(100, 70))).toBeNull();
    // Many small hits and few large losses beat a coin and lose all the same.
    expect(warningOf(createGraded(100, 70, { lost_bps: 200 }))).toBe("loses_after_costs");
    const shorts = createGraded(60, 25, { side: "short", lost_bps: 80 });
    const { data, warnings } = judge([...createGraded(100, 70), ...shorts]);
    expect(data.record_stats.by_side).toMatchObject([
      { side: "long", n_scored: 100, warning: null },
      { side: "short", n_scored: 60, mean_net_bps: -25.83, warning: "not_told_apart_from_a_coin" },
    ]);
    expect(warnings.filter((text) => text.includes("of this model"))).toEqual([
      "active: 60 short signals of this model are graded, on average -25.8 bps each after costs: " +
        "not told apart from a coin",
    ]);
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
