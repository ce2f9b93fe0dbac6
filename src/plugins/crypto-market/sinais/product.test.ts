import { describe, expect, test } from "bun:test";
import { runProduct } from "../../../../test/helpers/product-harness.ts";
import { createPublishedLedger, PUBLISHED_HEAD } from "../../../../test/helpers/signal-ledger.ts";
import { createMemoryRecords } from "../../../records/memory-records.ts";
import { product } from "./product.ts";
import type { SinaisData } from "./schema.ts";

const run = async (at: string, scored = false, bodies = {}) => {
  const records = await createPublishedLedger({ scored });
  const result = await runProduct(product, { now_ms: Date.parse(at), bodies, records });
  return { ...result, data: result.data as SinaisData };
};

describe("/sinais", () => {
  test("shows the published ledger unchanged", async () => {
    const { data, sources } = await run("2026-11-01T06:00:00Z");
    expect(data.chain).toEqual({ length: 3, head: PUBLISHED_HEAD });
    expect(data.active.map(({ symbol }) => symbol)).toEqual(["SOL", "ETH", "BTC"]);
    expect(data.active[2]).toMatchObject({
      record_hash: "32f7ea83fdeb6349b612cb2bd34c64fecebc975232adefb0c392a39ba9068952",
      alpha: 66.4,
      ref_price: 64_000,
      expires_at: "2026-11-02T00:02:07Z",
      mark_price: null,
    });
    expect(data.next_evaluation_at).toBe("2026-11-01T08:02:00Z");
    expect(data.record_stats).toMatchObject({ n_scored: 0, win_rate: null, warning: "sample_too_small" });
    expect(sources).toEqual([]);
  });

  test("a signal is active until its horizon ends, and no longer", async () => {
    expect((await run("2026-11-02T00:02:06Z")).data.active).toHaveLength(3);
    expect((await run("2026-11-02T00:02:07Z")).data.active).toHaveLength(1);
    expect((await run("2026-11-02T04:02:03Z")).data.active).toEqual([]);
  });

  test("graded signals are shown newest first with their results", async () => {
    const { data } = await run("2026-11-02T06:30:00Z", true);
    expect(data.recent_scored.map(({ symbol, net_bps, hit }) => [symbol, net_bps, hit])).toEqual([
      ["SOL", 180, true],
      ["ETH", -170, false],
      ["BTC", 128.4, true],
    ]);
  });

  test("a stored price marks what is active", async () => {
    const now_ms = Date.parse("2026-11-01T06:10:00Z");
    const records = await createPublishedLedger({ scored: false });
    const t_ms = now_ms - 600_000 - 3_600_000;
    const bars = [[t_ms, 2_000, 2_000, 1_990, 1_990, 5]];
    const value = { provider: "hyperliquid", fetched_at_ms: now_ms, complete_at_ms: now_ms, bars };
    const history = { "market/bars-1h/ETH": [{ at_ms: t_ms + 3_600_000, value }] };
    const { data, warnings, sources, as_of } = await runProduct(product, { now_ms, bodies: {}, records, history });
    const { active } = data as SinaisData;
    expect(active.find(({ symbol }) => symbol === "ETH")).toMatchObject({ mark_price: 1_990, unrealised_bps: 50 });
    expect(warnings).toContain(
      "active[SOL].mark_price, active[BTC].mark_price, active[SOL].unrealised_bps, active[BTC].unrealised_bps: " +
        "no fresh stored price of the coin",
    );
    expect(sources.map(({ provider }) => provider)).toEqual(["hyperliquid"]);
    expect(as_of).toBe("2026-11-01T06:00:00Z");
  });

  test("before the first evaluation nothing is sold, and it is said when that is due", async () => {
    const now_ms = Date.parse("2026-11-01T06:00:00Z");
    const empty = runProduct(product, { now_ms, bodies: {} });
    expect(empty).rejects.toMatchObject({ code: "no_history", status: 503, options: { retry_after_s: 7_320 } });
    expect(empty).rejects.toThrow("not before 2026-11-01T08:02:00Z. Nothing was charged.");
    const opens_ms = await product.findOpening?.({ records: createMemoryRecords(() => now_ms), now_ms });
    expect(opens_ms).toBe(Date.parse("2026-11-01T08:02:00Z"));
    expect(await product.findOpening?.({ records: await createPublishedLedger({ scored: false }), now_ms })).toBeNull();
  });

  test("the preview shows what has ended, with its results", async () => {
    const { inputs } = await run("2026-11-02T06:30:00Z", true);
    const earlier = product.preview.rewind?.(inputs as never, 0);
    if (!earlier) throw new Error("no earlier view");
    const { as_of_ms, data } = product.compute(earlier, { params: {}, now_ms: 0 });
    expect(data.active.map(({ expires_at }) => Date.parse(expires_at) <= Date.parse("2026-11-02T06:30:00Z"))).toEqual([
      true,
      true,
      true,
    ]);
    expect(data.recent_scored).toHaveLength(3);
    expect(as_of_ms).toBeLessThanOrEqual(Date.parse("2026-11-01T06:30:00Z"));
  });
});
