import { expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { settled } from "../../../../test/helpers/settled.ts";
import { addBankDays, countBankDays } from "../../../calendars/brazil.ts";
import { createRounder } from "../../../catalog/round-data.ts";
import { isUnusable } from "../../../catalog/unusable.ts";
import { createWorld } from "../../../sandbox/world.ts";
import type { SettlementDay } from "../b3/stored-days.ts";
import { listMeetings } from "../curve/copom.ts";
import { fitNSS } from "../curve/nss.ts";
import { VECTOR_DATE } from "../curve/vector.ts";
import { getVertices } from "../curve/vertices.ts";
import { readTradeFile } from "../providers/b3-files/read-trade-file.ts";
import { renderTradeFile } from "../providers/b3-files/simulator.ts";
import { readSettlementReport } from "../providers/b3-reports/fetch-settlement-report.ts";
import { renderSettlementReport } from "../providers/b3-reports/simulator.ts";
import { computeCurve, getShape } from "./compute.ts";
import type { CurveInputs } from "./fetch.ts";
import { type CurveData, CurveSchema, TENOR_NAMES } from "./schema.ts";

const world = createWorld("test", () => Date.UTC(2026, 0, 13));
const DAY = { date: VECTOR_DATE };
const toDay = (judged: ReturnType<typeof readSettlementReport>, source: SettlementDay["source"]): SettlementDay => {
  if (isUnusable(judged)) throw new Error(judged.why);
  const { nominal, real } = getVertices(judged.settlements, DAY);
  const nss = { nominal: fitNSS(nominal), real: fitNSS(real.filter(({ du }) => du >= 126)) };
  return { date: VECTOR_DATE, source, dropped: [...judged.dropped], settlements: judged.settlements, nss };
};
const day = toDay(readTradeFile(renderTradeFile(world, VECTOR_DATE), DAY), "b3_files");
const createInputs = (change: Partial<CurveInputs> = {}): CurveInputs => ({
  day,
  bonds: null,
  selic_target: 15,
  di_overnight: 14.9,
  focus_selic: { 2026: 12.25 },
  meetings: listMeetings([]),
  extra: new Set(),
  warnings: [],
  past: { d1: null, d5: null, d21: null },
  ...change,
});
const round = createRounder(CurveSchema) ?? ((value: unknown) => value);
const compute = (change?: Partial<CurveInputs>): CurveData => {
  const { data } = settled<CurveData>(computeCurve(createInputs(change)));
  const rounded = round(data) as CurveData;
  expect([...Value.Errors(CurveSchema, rounded)]).toEqual([]);
  return rounded;
};
const at = (data: CurveData, tenor: string) => data.curve.find((point) => point.tenor === tenor);

test("the published curve of 2026-01-12: rates, breakevens, forwards, slopes", () => {
  const data = compute();
  expect(TENOR_NAMES.map((tenor) => at(data, tenor)?.nominal)).toEqual([
    14.8834, 14.8415, 14.7869, 14.4487, 13.6935, 13.0167, 13.012, 13.1639, 13.2962, 13.4526, 13.474, 13.4082,
  ]);
  expect(TENOR_NAMES.map((tenor) => at(data, tenor)?.real)).toEqual([
    ...[null, null, null, 9.6741, 9.376, 8.1807, 7.8925, 7.8033, 7.7644, 7.6961, 7.4437, 7.3116],
  ]);
  expect(TENOR_NAMES.map((tenor) => at(data, tenor)?.breakeven).slice(3)).toEqual([
    4.3534, 3.9474, 4.4703, 4.7451, 4.9725, 5.1332, 5.3451, 5.6125, 5.6813,
  ]);
  expect(data.forwards).toEqual({
    f3m3m: 14.1114,
    f1y1y: 12.344,
    f2y1y: 13.0026,
    f5y5y: 13.6522,
    real_5y5y: 7.124,
    breakeven_5y5y: 6.094,
  });
  expect(data.slopes).toEqual({ s3m10y: -131.3, s1s5s: -39.7, s2s10s: 45.7, fly_2_5_10: 10.2 });
  expect(data.nss.nominal?.rmse_bps).toBe(3.041);
  // 3 months 14.84 %, 2 years 13.02 %, 10 years 13.47 %.
  expect(data.shape).toBe("inverted");
});

test("the policy path of DI1, and its distance to the survey", () => {
  const { copom_path, implied_before_next_meeting, focus_gap_bps } = compute();
  expect(implied_before_next_meeting).toBe(14.897);
  expect(copom_path?.slice(0, 7).map(({ implied_rate, step_bps }) => [implied_rate, step_bps])).toEqual([
    [14.8066, -9],
    [14.6344, -17.2],
    [14.1064, -52.8],
    [13.7542, -35.2],
    [13.2271, -52.7],
    [12.9359, -29.1],
    [12.6426, -29.3],
  ]);
  // The last meeting of 2026 is followed by that of January 2027.
  expect(copom_path?.[7]).toMatchObject({ meeting_date: "2026-12-09", until_date: "2027-01-28" });
  expect(copom_path).toHaveLength(16);
  expect(focus_gap_bps).toBeCloseTo(((copom_path?.[7]?.implied_rate ?? 0) - 12.25) * 100, 1);
  // A list that ended: null, not a guess.
  const ended = settled<CurveData>(computeCurve(createInputs({ meetings: ["2025-12-10"] })));
  expect(ended.data.copom_path).toBeNull();
  expect(ended.warnings.join("\n")).toContain("copom_path: the list of the Copom's meetings ended on 2025-12-10");
});

test("one known meeting is enough: its rate is the average of the days in which no other decision can fall", () => {
  const { data, warnings } = settled<CurveData>(computeCurve(createInputs({ meetings: ["2026-01-28"] })));
  expect(data.copom_path).toHaveLength(1);
  const [step] = data.copom_path ?? [];
  expect(step).toMatchObject({ meeting_date: "2026-01-28", effective_date: "2026-01-29", until_date: "2026-03-06" });
  const whole = compute().copom_path?.[0];
  // DIH26 and DIJ26 are on either side of both spans' ends.
  expect(Math.abs((step?.implied_rate ?? 0) - (whole?.implied_rate ?? 0))).toBeLessThan(0.05);
  expect(step?.step_bps).toBeCloseTo(((step?.implied_rate ?? 0) - (data.implied_before_next_meeting ?? 0)) * 100, 8);
  expect(warnings).toContain(
    "copom_path: no meeting after 2026-01-28 is known, its rate is the average of the 24 bank days after it",
  );
});

test("no two meetings are nearer than the span of the last known one", () => {
  const effective = listMeetings([]).map((meeting) => addBankDays(meeting, 1));
  const spans = effective.slice(1).map((date, index) => countBankDays(effective[index] ?? "", date));
  expect(Math.min(...spans)).toBe(24);
});

test("without the overnight rate the path still begins at the front future", () => {
  const { data } = settled<CurveData>(computeCurve(createInputs({ di_overnight: null })));
  expect(data.implied_before_next_meeting).toBeCloseTo(14.897, 8);
  expect(data.copom_path?.[0]?.implied_rate).toBeCloseTo(14.8066, 3);
});

test("DV01 is the analytic derivative, and agrees with small changes of the rate", () => {
  const f29 = compute().futures?.find(({ symbol }) => symbol === "DI1F29");
  expect(f29).toMatchObject({ pu: 69771.74, dv01_brl: -18.18, modified_duration: 2.6056, du: 742 });
  const puOf = (rate: number) => 100_000 / (1 + rate / 100) ** (742 / 252);
  const central = (puOf(13.003 + 0.0001) - puOf(13.003 - 0.0001)) / 0.02;
  expect(f29?.dv01_brl).toBeCloseTo(central, 3);
  // A whole point is not a hundred basis points: convexity.
  expect(puOf(14.003) - puOf(13.003)).toBeCloseTo(-1786.72, 1);
  expect(puOf(12.003) - puOf(13.003)).toBeCloseTo(1850.19, 1);
});

test("a second way to the curve: daily compounding of the overnight forwards", () => {
  const { nominal } = getVertices(day.settlements, DAY);
  const rateBy = (du: number): number => {
    let growth = 1;
    let [last_du, last_growth] = [0, 1];
    for (const vertex of nominal) {
      const vertex_growth = (1 + vertex.rate / 100) ** (vertex.du / 252);
      const overnight = (vertex_growth / last_growth) ** (1 / (vertex.du - last_du));
      for (let n = last_du; n < Math.min(vertex.du, du); n++) growth *= overnight;
      if (vertex.du >= du) break;
      [last_du, last_growth] = [vertex.du, vertex_growth];
    }
    return (growth ** (252 / du) - 1) * 100;
  };
  for (const { du, nominal: rate } of compute().curve) expect(rate ?? 0).toBeCloseTo(rateBy(du), 3);
});

test("the session report and the consolidated file give the same facts, byte for byte", () => {
  const report = toDay(readSettlementReport(renderSettlementReport(world, VECTOR_DATE), DAY), "b3_reports");
  const facts = (data: CurveData) =>
    JSON.stringify({ ...data, futures: data.futures?.map(({ open_interest: _, ...future }) => future) });
  expect(facts(compute({ day: report }))).toBe(facts(compute()));
  // Only the report says how many are open.
  expect(compute({ day: report }).futures?.[0]?.open_interest).toBeGreaterThan(0);
  expect(compute().futures?.[0]?.open_interest).toBeNull();
});

test("changes compare the same terms; without a day they are missing, with a reason", () => {
  const raised: SettlementDay = {
    ...day,
    settlements: day.settlements.map((row) => ({ ...row, rate: row.rate === null ? null : row.rate - 0.1 })),
  };
  const data = compute({ past: { d1: raised, d5: raised, d21: raised } });
  expect(at(data, "1y")?.change_5d_bps).toBe(10);
  expect(data.pca_like).toEqual({ level_21d: 10, slope_21d: 0, curvature_21d: 0 });
  expect(data.futures?.[0]?.change_bps).toBe(10);
  const { warnings } = settled<CurveData>(computeCurve(createInputs()));
  expect(warnings.filter((text) => text.startsWith("curve[].change_"))).toEqual([
    "curve[].change_1d_bps (12 of them), curve[].change_5d_bps (12 of them), curve[].change_21d_bps (12 of them): " +
      "this node has no settlements of that day",
  ]);
});

test("a missing vertex is bridged, and beyond the last nothing is known", () => {
  const without = day.settlements.filter(({ symbol }) => !["DI1F29", "DI1F41", "DI1F40"].includes(symbol));
  const data = compute({ day: { ...day, settlements: without } });
  expect(at(data, "3y")?.nominal).not.toBeNull();
  expect(at(data, "14y")?.nominal).toBeNull();
  const { warnings } = settled<CurveData>(computeCurve(createInputs({ day: { ...day, settlements: without } })));
  expect(warnings.filter((text) => text.startsWith("curve[14y].nominal: beyond the last vertex"))).toHaveLength(1);
});

const ratesOf = (real: Readonly<Record<string, number>>): SettlementDay["settlements"] => [
  ...day.settlements.filter(({ symbol }) => !symbol.startsWith("DAP")),
  ...Object.entries(real).map(([symbol, rate]) => ({
    symbol,
    rate,
    contracts: null,
    open_interest: null,
    settle: 100_000,
  })),
];

test("real rates are interpolated from the market's own vertices, however far the first long one is", () => {
  // DAPM26 expires 104 days away, DAPQ28 649: neither 126 nor 252 days is the flat rate of the latter.
  const real = { DAPM26: 10, DAPQ28: 8, DAPQ30: 7.785, DAPQ40: 7.3 };
  const { data, warnings } = settled<CurveData>(
    computeCurve(createInputs({ day: { ...day, settlements: ratesOf(real) } })),
  );
  const growth = (du: number) => {
    const [near, far] = [Math.log(1.1) * (104 / 252), Math.log(1.08) * (649 / 252)];
    return near + ((far - near) * (du - 104)) / (649 - 104);
  };
  const rateOf = (du: number) => (Math.exp(growth(du) * (252 / du)) - 1) * 100;
  expect(at(data, "6m")?.real).toBeCloseTo(rateOf(126), 8);
  expect(at(data, "1y")?.real).toBeCloseTo(rateOf(252), 8);
  expect([at(data, "6m")?.real_gap_du, at(data, "1y")?.real_gap_du]).toEqual([22, 148]);
  expect(warnings).toContain("real: 1y lies 148 business days from its nearest vertex");
  expect(warnings.filter((text) => text.startsWith("real: 6m"))).toEqual([]);
});

test("before the first vertex there is no real rate, no breakeven and no forward, with a warning", () => {
  const { data, warnings } = settled<CurveData>(
    computeCurve(createInputs({ day: { ...day, settlements: ratesOf({ DAPQ28: 8, DAPQ30: 7.785, DAPQ40: 7.3 }) } })),
  );
  for (const tenor of ["6m", "1y", "2y"]) {
    expect(at(data, tenor)).toMatchObject({ real: null, real_gap_du: null, breakeven: null });
  }
  expect(at(data, "3y")?.real).toBeGreaterThan(7);
  expect(warnings).toContain(
    "curve[6m].real, curve[1y].real, curve[2y].real: before the first vertex, 649 business days away",
  );
});

test("nominal rates begin at the overnight rate, or at the first future where that is unknown or far off", () => {
  const settlements = day.settlements.filter(({ symbol }) => !["DI1G26", "DI1H26"].includes(symbol));
  const late = { ...day, settlements };
  const known = settled<CurveData>(computeCurve(createInputs({ day: late })));
  expect(at(known.data, "1m")?.nominal).toBeCloseTo(14.82, 1);
  expect(at(known.data, "1m")?.nominal_gap_du).toBe(20);
  for (const di_overnight of [null, 13.4]) {
    const { data, warnings } = settled<CurveData>(computeCurve(createInputs({ day: late, di_overnight })));
    expect(["1m", "2m", "3m"].map((tenor) => at(data, tenor)?.nominal === null)).toEqual([true, true, false]);
    expect(warnings.join("\n")).toContain("curve[1m].nominal, curve[2m].nominal");
    expect(warnings.join("\n")).toContain(": before the first vertex, 55 business days away");
    const doubts = warnings.filter((text) =>
      text.startsWith("di_overnight_pct: the nearest future lies 142 bps above"),
    );
    expect(doubts).toHaveLength(di_overnight === null ? 0 : 1);
  }
});

test("a change against a day whose vertices do not enclose the term is unknown, and that is said", () => {
  const then = { ...day, settlements: day.settlements.filter(({ symbol }) => !/^DI1[GH]26$/.test(symbol)) };
  const { data, warnings } = settled<CurveData>(
    computeCurve(createInputs({ past: { d1: then, d5: null, d21: null } })),
  );
  expect(["1m", "2m", "3m"].map((tenor) => at(data, tenor)?.change_1d_bps === null)).toEqual([true, true, false]);
  expect(warnings).toContain(
    "curve[1m].change_1d_bps, curve[2m].change_1d_bps: no vertices of that day enclose the term",
  );
});

test("bonds are a coarse curve that says what it lacks", () => {
  const bonds = {
    date: VECTOR_DATE,
    nominal: [
      { du: 500, rate: 13 },
      { du: 1_000, rate: 13.4 },
      { du: 1_500, rate: 13.6 },
    ],
    real: [
      { du: 700, rate: 7.9 },
      { du: 3_000, rate: 7.4 },
    ],
  };
  const data = compute({ day: null, bonds });
  expect(data).toMatchObject({ source_kind: "treasury_bonds", futures: null, shape: null });
  expect([at(data, "1y")?.nominal, at(data, "5y")?.nominal === null]).toEqual([null, false]);
});

test("the form of a curve", () => {
  const of = (near: number, belly: number, far: number) => getShape({ "3m": near, "2y": belly, "10y": far } as never);
  expect([of(10, 11, 12), of(12, 11, 10), of(10, 10.1, 10.2)] as unknown[]).toEqual(["normal", "inverted", "flat"]);
  // A hump is above both ends, by 25 basis points and more of each.
  expect([of(12, 14, 13), of(13, 14, 12), of(10, 11, 10.1)] as unknown[]).toEqual(["humped", "humped", "humped"]);
  expect([of(12, 12.2, 11), of(11, 12.2, 12.1)] as unknown[]).toEqual(["inverted", "normal"]);
  // A dip between them does not change which end is higher.
  expect([of(14, 12, 13), of(13, 12, 14), of(14, 12.9, 13.1)] as unknown[]).toEqual(["inverted", "normal", "inverted"]);
});
