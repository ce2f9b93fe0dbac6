import { describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { createProductRig } from "../../../../test/helpers/product-rig.ts";
import { refusalOf } from "../../../../test/helpers/refusal.ts";
import type { SimulatedNode } from "../../../../test/helpers/simulated-node.ts";
import { job as backfill } from "../jobs/b3-backfill.ts";
import { job as index } from "../jobs/b3-index.ts";
import { job as tradeFile } from "../jobs/b3-trade-file.ts";
import { product } from "./product.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12, 24, 56);
const { createNode, run } = createProductRig(product, { now_ms: NOW_MS });
const live = async (node: SimulatedNode, times = 1) => {
  await index.run(node.createContext());
  await tradeFile.run(node.createContext());
  for (let n = 0; n < times; n++) await backfill.run(node.createContext());
};

describe("GET /br-equity", () => {
  test("the index, with its members", async () => {
    const node = createNode();
    await live(node, 3);
    const { data, sources, warnings } = await run(node);
    expect(data).toMatchObject({ symbol: "IBOV", kind: "index", unit: "points", trade_date: "2026-09-30", isin: null });
    expect(data.members).toMatchObject({ n: 26 });
    expect(data.members?.above_sma50_pct).not.toBeNull();
    expect(data.members?.top_weights[0]?.symbol).toBe("VALE3");
    expect(data.returns.d252).not.toBeNull();
    expect(new Set(sources.map(({ provider }) => provider))).toEqual(new Set(["b3_files", "b3_index"]));
    expect(warnings.every((text) => /: .+/.test(text))).toBe(true);
  });

  test("a member with history, and a fund with only its last close", async () => {
    const node = createNode();
    await live(node);
    const petr = await run(node, "symbol=petr4.sa");
    expect(petr.data).toMatchObject({
      symbol: "PETR4",
      kind: "share",
      unit: "BRL",
      history_days: 25,
      adjusted_days: 0,
    });
    expect(petr.data.index_weight_pct).toBeGreaterThan(1);
    expect(petr.data.sma20).toBeGreaterThan(0);
    const fund = await run(node, "symbol=KNRI11");
    expect(fund.data).toMatchObject({ kind: "unit_or_fund", history_days: 1, sma20: null, index_weight_pct: null });
    expect(fund.data.previous_close).toBeGreaterThan(0);
    expect(fund.warnings).toContainEqual(expect.stringMatching(/ sma20,.*: the history that is stored is too short$/));
  });

  test("a ticker without trades is not a fault, and costs nothing", async () => {
    const node = createNode();
    await live(node);
    const refusal = await refusalOf(run(node, "symbol=PETR9"));
    expect([refusal.code, refusal.status]).toEqual(["subject_not_found", 404]);
    expect(refusal.message).toContain("near: PETR3, PETR4");
    expect((await refusalOf(run(node, "symbol=12"))).code).toBe("invalid_parameter");
  });

  test("without the index's own level a fund replaces it, with a warning", async () => {
    const node = createNode();
    await tradeFile.run(node.createContext());
    const { data, warnings } = await run(node);
    expect(data).toMatchObject({ unit: "BRL", members: null });
    expect(warnings.join("\n")).toContain("close: a proxy, the fund BOVA11");
  });

  test("a file of more than 5 bank days is not sold", async () => {
    const node = createNode();
    await live(node);
    node.clock.advance(8 * 86_400_000);
    expect((await refusalOf(run(node))).status).toBe(503);
  });

  test("the preview gives no members away", async () => {
    const node = createNode();
    await live(node);
    const { data, inputs } = await run(node);
    expect(Value.Check(product.data, product.preview.redact?.(data))).toBe(true);
    expect(product.preview.charts?.({ data, inputs })).toHaveLength(1);
  });
});
