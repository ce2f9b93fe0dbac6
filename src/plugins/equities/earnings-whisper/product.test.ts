import { describe, expect, test } from "bun:test";
import { createProductRig } from "../../../../test/helpers/product-rig.ts";
import { refusalOf } from "../../../../test/helpers/refusal.ts";
import { job } from "../jobs/earnings-calendar.ts";
import { product } from "./product.ts";

const NOW_MS = Date.UTC(2026, 9, 25, 12, 34, 56);
const { createNode, run } = createProductRig(product, { now_ms: NOW_MS });

describe("GET /earnings-whisper", () => {
  test("a company: quarters in a row, the fourth derived, results with their hour", async () => {
    const { data, warnings } = await run(createNode(), "symbol=aapl");
    expect(data).toMatchObject({ mode: "symbol", symbol: "AAPL", cik: 320_193, upcoming: [] });
    expect(data.history).toHaveLength(12);
    expect(data.history.filter(({ derived }) => derived)).toHaveLength(3);
    expect(data.last_report).toMatchObject({ period_end: "2026-06-30", hour: "amc" });
    expect(data.next_report?.date).toBe("2026-10-29");
    const { last, next } = data.guidance;
    expect(last).toMatchObject({ eps: data.last_report?.eps ?? 0, stated_on: "2026-04-30" });
    expect(last?.sentence).toContain(`between $${last?.eps_low.toFixed(2)} and`);
    expect([next?.stated_on, next?.sentence.includes("third quarter of fiscal 2026")]).toEqual(["2026-07-30", true]);
    const silent = await run(createNode(), "symbol=TSLA");
    expect(silent.data.guidance).toEqual({ last: null, next: null });
    expect(silent.warnings.filter((one) => one.startsWith("guidance.last, guidance.next: no sentence"))).toHaveLength(
      1,
    );
    expect(warnings).toContain("consensus: no official source publishes one, and no licensed vendor is configured");
    expect(product.preview.charts?.({ data, inputs: null as never })).toHaveLength(1);
  });

  test("as_known_at: nothing of later filings, and the next report was one that has come by now", async () => {
    const now = await run(createNode(), "symbol=AAPL");
    const { data } = await run(createNode(), "symbol=AAPL&as_known_at=2026-04-15");
    expect(data).toMatchObject({ known_at: "2026-04-15", last_report: { period_end: "2025-12-31" } });
    expect(data.next_report?.date).toBe("2026-04-29");
    const shared = now.data.history.filter(({ period_end }) => period_end <= "2025-12-31");
    expect(data.history.slice(0, shared.length)).toEqual(shared);
  });

  test("without a symbol: the reports of the next 7 days, worked out by the job", async () => {
    const node = createNode();
    expect((await refusalOf(run(node))).status).toBe(503);
    await job.run(node.createContext());
    const { data, sources, warnings } = await run(node);
    expect(data).toMatchObject({ mode: "calendar", universe_size: 25 });
    expect(data.upcoming).toHaveLength(10);
    const files = new Set(sources.flatMap(({ url }) => /CIK(\d+)/.exec(url)?.[1] ?? []));
    expect([files.size, warnings.some((one) => one.startsWith("upcoming: the first 10 of"))]).toEqual([10, true]);
    const all = await run(node, "reports=25");
    expect(all.data.upcoming.length).toBeGreaterThan(10);
    expect(all.data.upcoming.slice(0, 10)).toEqual(data.upcoming);
    expect(data.upcoming.every(({ date }) => date >= "2026-10-25" && date <= "2026-11-01")).toBe(true);
  });

  test("a fund and an unknown ticker are not companies that report", async () => {
    const node = createNode();
    for (const symbol of ["SPY", "ZZZZZ"]) {
      expect(await refusalOf(run(node, `symbol=${symbol}`))).toMatchObject({ code: "subject_not_found" });
    }
  });
});
