import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { expectGrounded } from "../../../../test/helpers/grounding.ts";
import { asSold } from "../../../../test/helpers/settled.ts";
import { createSimulatedNode, type SimulatedNode } from "../../../../test/helpers/simulated-node.ts";
import { NodeError } from "../../../core/errors.ts";
import { canonicalJSON, sha256Hex } from "../../../core/hash.ts";
import { createGuard } from "../../../grounding/guard.ts";
import { writeByTemplates } from "../../../grounding/write-blocks.ts";
import { job as bars1d } from "../jobs/candles-1d.ts";
import { job as bars1h } from "../jobs/candles-1h.ts";
import { job as bars4h } from "../jobs/candles-4h.ts";
import { job as derivatives } from "../jobs/derivs-sample.ts";
import { job as signals } from "../jobs/signals-emit.ts";
import { computeMarketBrief as draft } from "./compute.ts";
import { fetchMarketBrief, type MarketBriefInputs } from "./fetch.ts";
import { product } from "./product.ts";
import { planBrief } from "./prose.ts";
import { MarketBriefSchema } from "./schema.ts";
import { vector } from "./vector.ts";

const computeMarketBrief = asSold(MarketBriefSchema, draft);

const NOW_MS = Date.UTC(2026, 9, 1, 12, 24, 56);
const HOUR_MS = 3_600_000;

let stored: SimulatedNode;
let inputs: MarketBriefInputs;
beforeAll(async () => {
  stored = createSimulatedNode({ now_ms: NOW_MS });
  for (const job of [bars1h, bars4h, bars1d, derivatives, signals]) await job.run(stored.createContext());
  inputs = await fetchMarketBrief(stored.createContext());
});
afterAll(() => stored.close());

const compute = (change: Partial<MarketBriefInputs> = {}) =>
  computeMarketBrief({ ...inputs, ...change }, { now_ms: stored.clock.now() });
const FAILED = { ok: false, error: new NodeError("upstream_unavailable", "gone") } as const;

describe("the brief", () => {
  test("a node with stored series has every part, and a brief of the pack's own numbers", () => {
    const { data, warnings } = compute();
    expect([...Value.Errors(product.data, data)]).toEqual([]);
    expect(Object.entries(data).flatMap(([name, value]) => (value === null ? [name] : []))).toEqual(["brief_model"]);
    expect(data.prices).toHaveLength(10);
    expect(data.brief).toStartWith("BTC closed the last full hour at");
    expect(data.written_by).toBe("template");
    expect(warnings.every((text) => /^\S.*: \S/.test(text))).toBe(true);
    expect(data.brief).not.toMatch(/trades|is at/);
  });

  test("is as old as the prices it speaks of, however new the rest is", () => {
    const { as_of_ms } = compute();
    const closes = inputs.hours.map(({ bars }) => (bars.at(-1)?.t_ms ?? 0) + HOUR_MS);
    expect(as_of_ms).toBe(Math.min(...closes));
    expect(as_of_ms).toBeLessThan(stored.clock.now());
    const newer = inputs.fees.ok ? inputs.fees.value.as_of_ms : 0;
    expect(newer).toBeGreaterThan(as_of_ms);
  });

  test("changes and movers are those of the closes", () => {
    const { data } = compute();
    const bitcoin = inputs.hours.find(({ symbol }) => symbol === "BTC")?.bars ?? [];
    const [last, day, week] = [bitcoin.at(-1), bitcoin.at(-25), bitcoin.at(-169)];
    expect((last?.t_ms ?? 0) - (week?.t_ms ?? 0)).toBe(168 * HOUR_MS);
    const pct = (from = Number.NaN) => (100 * ((last?.close ?? Number.NaN) - from)) / from;
    expect(data.prices[0]?.chg_24h_pct).toBeCloseTo(pct(day?.close), 2);
    expect(data.prices[0]?.chg_7d_pct).toBeCloseTo(pct(week?.close), 2);
    for (const { chg_24h_pct } of data.movers.up) expect(chg_24h_pct).toBeGreaterThan(0);
    for (const { chg_24h_pct } of data.movers.down) expect(chg_24h_pct).toBeLessThan(0);
  });

  test("movers are three of each at most, the largest first, equals by name, without unchanged prices", () => {
    const bitcoin = inputs.hours.find(({ symbol }) => symbol === "BTC");
    if (!bitcoin) throw new Error("no bitcoin");
    // Every close is 100 but the last, so that the change in percent is what is added to it.
    const moved = (symbol: string, change: number) => ({
      ...bitcoin,
      symbol,
      bars: bitcoin.bars.map((bar, index) => ({
        ...bar,
        close: index === bitcoin.bars.length - 1 ? 100 + change : 100,
      })),
    });
    const briefOf = (changes: Readonly<Record<string, number>>) =>
      compute({ hours: Object.entries(changes).map(([symbol, change]) => moved(symbol, change)) }).data;
    const moversOf = (changes: Readonly<Record<string, number>>) => briefOf(changes).movers;
    const list = (moves: Readonly<Record<string, number>>) =>
      Object.entries(moves).map(([symbol, chg_24h_pct]) => ({ symbol, chg_24h_pct }));
    const all = { BTC: 0, ETH: 0.5, SOL: 3, BNB: -2, XRP: 1, ADA: 1, DOGE: -0.5, AVAX: -4, LINK: -3, LTC: 0.01 };
    expect(moversOf(all)).toEqual({
      up: list({ SOL: 3, ADA: 1, XRP: 1 }),
      down: list({ AVAX: -4, LINK: -3, BNB: -2 }),
    });
    expect(moversOf({ BTC: 0, ETH: 0.01, SOL: -0.01 })).toEqual({
      up: list({ ETH: 0.01 }),
      down: list({ SOL: -0.01 }),
    });
    // Less than half a hundredth of a percent is shown as nothing, and is nothing.
    expect(moversOf({ BTC: 0.004, ETH: -0.004 })).toEqual({ up: [], down: [] });
    expect(briefOf({ BTC: 1.2345 }).prices).toEqual([
      { symbol: "BTC", price_usd: 101.2345, chg_24h_pct: 1.23, chg_7d_pct: 1.23 },
    ]);
  });

  test("the first three oddities are shown, no more", () => {
    const { anomalies } = inputs;
    if (!anomalies.ok) throw new Error("no oddities");
    const { data } = anomalies.value;
    const oddities = ["A", "B", "C", "D"].map((symbol) => ({
      id: symbol,
      type: "volume_spike" as const,
      symbol,
      severity: 0.9,
      direction: null,
      value: 9,
      unit: "multiple" as const,
      baseline: 1,
      rz: 9,
      rarity: 0,
      window_h: 1,
      started_at: "",
      note_code: "volume_vs_same_hour" as const,
    }));
    const value = { ...anomalies.value, data: { ...data, anomalies: oddities } };
    const { anomalies_top } = compute({ anomalies: { ok: true, value } }).data;
    expect(anomalies_top?.map(({ symbol }) => symbol)).toEqual(["A", "B", "C"]);
  });

  test("the market's figures have two decimals", () => {
    const { caps } = inputs;
    if (!caps.ok) throw new Error("no market values");
    const value = { ...caps.value, total_change_24h_pct: -1.2345, btc_dominance_pct: 55.4321 };
    const { market } = compute({ caps: { ok: true, value } }).data;
    expect(market).toMatchObject({ cap_chg_24h_pct: -1.23, btc_dominance_pct: 55.43 });
  });

  test("the hash is of the canonical pack, as a buyer makes it", () => {
    const { brief: _, facts: ____, written_by: __, brief_model: ___, pack_hash, ...pack } = compute().data;
    expect(sha256Hex(canonicalJSON(pack))).toBe(pack_hash);
    const dearer = { ...pack, prices: pack.prices.map((one) => ({ ...one, price_usd: one.price_usd + 0.01 })) };
    expect(sha256Hex(canonicalJSON(dearer))).not.toBe(pack_hash);
  });

  const PARTS = {
    caps: ["market"],
    regime: ["regime", "volatility", "breadth"],
    fear_greed: ["fear_greed"],
    sectors: ["sectors"],
    anomalies: ["anomalies_top"],
    fees: ["fees"],
    signals: ["signals"],
  } as const;
  for (const [part, fields] of Object.entries(PARTS)) {
    test(`without ${part} its fields are null, named in a warning, and the brief is silent on it`, () => {
      const { data, warnings } = compute({ [part]: FAILED });
      for (const field of fields) {
        expect(data[field]).toBeNull();
        expect(warnings.some((text) => text.split(":")[0]?.includes(field))).toBe(true);
      }
      expect([...Value.Errors(product.data, data)]).toEqual([]);
      expect(data.brief).not.toBeNull();
    });
  }

  test("implied volatility is the regime's, and so is the reason when it is missing", () => {
    const { data, warnings } = compute();
    expect(data.volatility?.dvol).toBeNull();
    const given = warnings.filter((text) => text.startsWith("volatility.dvol:"));
    expect(given).toEqual(
      inputs.regime.ok ? inputs.regime.value.warnings.filter((text) => text.startsWith("volatility.dvol:")) : [],
    );
    expect(given[0]).toContain("no licensed provider");
    if (!inputs.regime.ok) throw new Error("no regime");
    const { value } = inputs.regime;
    const volatility = { ...value.data.volatility, dvol: 43.21 };
    const licensed = compute({
      regime: { ok: true, value: { ...value, warnings: [], data: { ...value.data, volatility } } },
    });
    expect(licensed.data.volatility?.dvol).toBe(43.21);
    expect(licensed.warnings.some((text) => text.startsWith("volatility.dvol:"))).toBe(false);
  });

  test("without a fresh sample the derivatives are null; without one coin of it, what it takes", () => {
    const none = compute({ positioning: { BTC: null, ETH: null, SOL: null } });
    expect(none.data.derivatives).toBeNull();
    expect(none.warnings).toContain("derivatives: no funding is told now, and none of the last 2 h is stored");
    const two = compute({ positioning: { ...inputs.positioning, SOL: null } });
    expect(two.data.derivatives).toMatchObject({ sol_funding_apr_pct: null, oi_usd: null });
    expect(two.warnings.filter((text) => text.startsWith("derivatives."))).toHaveLength(2);
  });

  test("a coin that lacks the newest hour is left out, with a warning", () => {
    const hours = inputs.hours.map((one) => (one.symbol === "ETH" ? { ...one, bars: one.bars.slice(0, -1) } : one));
    const { data, warnings } = compute({ hours });
    expect(data.prices.some(({ symbol }) => symbol === "ETH")).toBe(false);
    expect(warnings).toContain("prices: the last hour's bar of ETH is not there yet");
  });

  test("a coin whose bars could not be read is not called one without bars", () => {
    const hours = inputs.hours.filter(({ symbol }) => symbol !== "ETH" && symbol !== "SOL");
    const missing = [{ symbol: "ETH", why: "unread" } as const, { symbol: "SOL", why: "absent" } as const];
    const { warnings } = compute({ hours, missing });
    expect(warnings).toContain("prices: hourly bars of ETH could not be read");
    expect(warnings).toContain("prices: nobody has enough hourly bars of SOL");
    expect(warnings.join()).not.toContain("not there yet");
  });

  test("the brief keeps to its facts, and follows each of them", () => {
    const { brief: _, facts: __, ...pack } = compute().data;
    expect(expectGrounded(planBrief(pack, "2026-10-01T12:00:00Z"))).toBeGreaterThan(10);
  });

  test("the example's text, facts and hash follow from its figures", () => {
    const { brief, facts, written_by, brief_model, pack_hash, ...pack } = vector.data;
    const { written } = writeByTemplates(planBrief(pack, vector.as_of));
    expect(brief).toBe(written.blocks[0]?.text ?? null);
    expect<unknown>(facts).toEqual(written.facts);
    expect([written_by, brief_model]).toEqual(["template", null]);
    expect(pack_hash).toBe(sha256Hex(canonicalJSON(pack)));
  });

  test("the published pair of sentences: one passes, one does not", () => {
    const { brief: _, facts: __, ...pack } = vector.data;
    const guard = createGuard(planBrief(pack, vector.as_of).pack, "en");
    const check = (text: string) => guard.check({ id: "brief", text, facts: ["F1", "F2"], sources: [] });
    expect(check("BTC trades near 64,012 after losing 1.3 %")).toEqual([]);
    expect(check("BTC trades near 64,012 after losing 1.8 %")).toEqual([{ rule: "not_in_facts", text: "1.8 %" }]);
  });
});
