import { addBankDays, type Computed, type Draft, type ISODate, missing, missingIn, yearOf } from "intel-node";
import { momentOf, type SettlementDay } from "../b3/stored-days.ts";
import { endsSoon, getPolicyPath, OPEN_DU, warnOfEnd } from "../curve/copom.ts";
import { breakevenOf, createFlatForward, type RateCurve, YEAR_DU } from "../curve/flat-forward.ts";
import { getRealPoints, getVertices, REAL_DU_MIN, type Vertex } from "../curve/vertices.ts";
import type { CurveInputs } from "./fetch.ts";
import {
  type CurveData,
  type CurveParams,
  type CurvePointData,
  FUTURES,
  TENOR_NAMES,
  TENORS,
  type Tenor,
} from "./schema.ts";

const FLAT_BPS = 25;
const POOR_FIT_BPS = 25;
const BPS = 100;

type Maybe = number | null;
type PolicyPath = ReturnType<typeof getPolicyPath>;
const minus = (a: Maybe, b: Maybe): Maybe => (a === null || b === null ? null : a - b);
const toBps = (difference: Maybe): Maybe => (difference === null ? null : difference * BPS);

/** Rates at the standard terms. */
type Terms = Readonly<Record<Tenor, Maybe>>;
const termsOf = (curve: RateCurve | null): Terms =>
  Object.fromEntries(TENOR_NAMES.map((tenor) => [tenor, curve?.rateAt(TENORS[tenor]) ?? null])) as Record<Tenor, Maybe>;
const flyOf = (terms: Terms): Maybe =>
  terms["2y"] === null || terms["5y"] === null || terms["10y"] === null
    ? null
    : 2 * terms["5y"] - terms["2y"] - terms["10y"];

/**
 * Humped where 2 years lie above both ends; what dips between them has the form of its ends.
 * @returns null where a term is unknown.
 */
export function getShape(terms: Terms): CurveData["shape"] {
  const [near, belly, far] = [terms["3m"], terms["2y"], terms["10y"]];
  if (near === null || belly === null || far === null) return null;
  const [rise, fall] = [(belly - near) * BPS, (belly - far) * BPS];
  if (Math.min(rise, fall) >= FLAT_BPS) return "humped";
  const whole = (far - near) * BPS;
  if (Math.abs(whole) < FLAT_BPS) return "flat";
  return whole > 0 ? "normal" : "inverted";
}

/** Derivative of the PU by its rate, for one basis point, BRL; and the modified duration, years. */
function getRisk({ du, rate, pu }: Pick<Vertex, "du" | "rate" | "pu">): {
  readonly dv01_brl: number;
  readonly modified_duration: number;
} {
  const modified_duration = du / YEAR_DU / (1 + rate / 100);
  return { dv01_brl: -pu * modified_duration * 1e-4, modified_duration };
}

const rateBy = (day: SettlementDay | null): ReadonlyMap<string, number> =>
  new Map((day?.settlements ?? []).flatMap(({ symbol, rate }) => (rate === null ? [] : [[symbol, rate] as const])));

function describeFutures(vertices: readonly Vertex[], before: ReadonlyMap<string, number>) {
  return vertices.map((vertex) => {
    const { symbol, expiry, du, rate, pu, open_interest } = vertex;
    const change_bps = toBps(minus(rate, before.get(symbol) ?? null));
    return {
      symbol,
      expiry,
      du,
      rate,
      pu,
      change_bps: change_bps ?? missing("not settled on the day before"),
      open_interest: open_interest ?? missing("B3's file does not say"),
      ...getRisk(vertex),
    };
  });
}

/** A rate is of the market only between vertices: before the first one and after the last it is unknown. */
const INSIDE = { reaches_back: false } as const;
/** A term farther than a month and than this share of itself from every vertex is said to be. */
const FAR_SHARE = 0.25;
const FAR_DU_MIN = 21;

interface Curves {
  readonly date: ISODate;
  readonly nominal: RateCurve;
  readonly real: RateCurve;
  /** How far the nearest future is from the overnight rate, where it is too far for both to be of one market. */
  readonly front_gap_bps: Maybe;
}

/** What the overnight rate can differ by from the nearest future, bps: more than a decision of the Copom moves it. */
const FRONT_GAP_BPS_MAX = 100;

function buildCurves({ day, bonds, extra, di_overnight }: CurveInputs): Curves {
  if (day) {
    const { nominal, real } = getVertices(day.settlements, { date: day.date, extra });
    const front = nominal[0];
    const gap_bps = toBps(minus(front?.rate ?? null, di_overnight));
    const is_one_market = gap_bps !== null && Math.abs(gap_bps) <= FRONT_GAP_BPS_MAX;
    // The overnight rate is what the contract settles on: the vertex of one day.
    const overnight = is_one_market && front && front.du > 1 && di_overnight !== null;
    return {
      date: day.date,
      nominal: createFlatForward([...(overnight ? [{ du: 1, rate: di_overnight }] : []), ...nominal], INSIDE),
      front_gap_bps: is_one_market ? null : gap_bps,
      real: createFlatForward(getRealPoints(real), INSIDE),
    };
  }
  const { date = "", nominal = [], real = [] } = bonds ?? {};
  const [near, over_ipca] = [createFlatForward(nominal, INSIDE), createFlatForward(real, INSIDE)];
  return { date, nominal: near, real: over_ipca, front_gap_bps: null };
}

const nominalOf = (day: SettlementDay | null, extra: ReadonlySet<ISODate>): RateCurve | null =>
  day && createFlatForward(getVertices(day.settlements, { date: day.date, extra }).nominal, INSIDE);

/** A real rate is given from 126 business days on. */
const realAt = (curve: RateCurve, du: number): Maybe => (du < REAL_DU_MIN ? null : curve.rateAt(du));

/** Business days from a term to the nearest vertex of its rate; null without a rate. */
const gapOf = (curve: RateCurve, du: number, rate: Maybe): Maybe =>
  rate === null ? null : Math.min(...curve.points.map((point) => Math.abs(point.du - du)));

const COARSE = "the curve is coarse, made of treasury bonds";
const NO_TERM = "the curve has no rate at one of its terms; treasury bonds begin years ahead";

const show = (value: Maybe, decimals = 2): string => (value === null ? "unknown" : value.toFixed(decimals));

/** Why a curve has no rate at a term: its vertices do not enclose it. */
function whyOutside({ points }: RateCurve, du: number): string {
  const [first, last] = [points[0]?.du, points.at(-1)?.du];
  if (first === undefined) return "the curve has no vertex";
  return du < first
    ? `before the first vertex, ${first} business days away`
    : `beyond the last vertex, ${last} business days away`;
}

/** A term of the curve as it is sold: with the reason where it has no rate, or none to compare it with. */
function explainPoint(point: CurvePointData, { nominal, real }: Curves, past: CurveInputs["past"]) {
  const { du, change_1d_bps, change_5d_bps, change_21d_bps } = point;
  const of_nominal = point.nominal ?? missing(whyOutside(nominal, du));
  const explainChange = (change: Maybe, then: SettlementDay | null) => {
    if (change !== null) return change;
    if (!then) return missing("this node has no settlements of that day");
    return point.nominal === null ? of_nominal : missing("no vertices of that day enclose the term");
  };
  return {
    ...point,
    nominal: of_nominal,
    // Below that term nobody expects a real rate; its schema says so.
    real: du < REAL_DU_MIN ? point.real : (point.real ?? missing(whyOutside(real, du))),
    change_1d_bps: explainChange(change_1d_bps, past.d1),
    change_5d_bps: explainChange(change_5d_bps, past.d5),
    change_21d_bps: explainChange(change_21d_bps, past.d21),
  };
}

/** @returns the curve of the newest settlements; rates in percent a year of 252 business days. */
export function computeCurve(
  inputs: CurveInputs,
  { futures = FUTURES.max }: CurveParams = {},
): Computed<Draft<CurveData>> {
  const { day, past, extra, meetings } = inputs;
  const warnings = [...inputs.warnings];
  const curves = buildCurves(inputs);
  const { date, nominal, real } = curves;
  const [now, d1, d5, d21] = [
    termsOf(nominal),
    ...[past.d1, past.d5, past.d21].map((one) => termsOf(nominalOf(one, extra))),
  ] as [Terms, Terms, Terms, Terms];
  const curve = TENOR_NAMES.map((tenor): CurvePointData => {
    const du = TENORS[tenor];
    const [rate, over_ipca] = [now[tenor], realAt(real, du)];
    return {
      tenor,
      du,
      date: addBankDays(date, du, extra),
      nominal: rate,
      real: over_ipca,
      nominal_gap_du: gapOf(nominal, du, rate),
      real_gap_du: gapOf(real, du, over_ipca),
      breakeven: rate === null || over_ipca === null ? null : breakevenOf(rate, over_ipca),
      change_1d_bps: toBps(minus(rate, d1[tenor])),
      change_5d_bps: toBps(minus(rate, d5[tenor])),
      change_21d_bps: toBps(minus(rate, d21[tenor])),
    };
  });
  const f5y5y = nominal.forward(TENORS["5y"], TENORS["10y"]);
  const real_5y5y = real.forward(TENORS["5y"], TENORS["10y"]);
  const path = getPolicyPath(nominal, { date, meetings, extra });
  warnings.push(...listDoubts(inputs, { curve, curves, path, date }));
  const shape = getShape(now);
  const data: Draft<CurveData> = {
    reference_date: date,
    source_kind: day ? "di_futures" : "treasury_bonds",
    curve: curve.map((point) => explainPoint(point, curves, past)),
    futures: day ? describeAll(day, past.d1, { extra, futures }) : missing(COARSE),
    dropped: [...(day?.dropped ?? [])],
    forwards: missingIn(
      {
        f3m3m: nominal.forward(TENORS["3m"], TENORS["6m"]),
        f1y1y: nominal.forward(TENORS["1y"], TENORS["2y"]),
        f2y1y: nominal.forward(TENORS["2y"], TENORS["3y"]),
        f5y5y,
        real_5y5y,
        breakeven_5y5y: f5y5y === null || real_5y5y === null ? null : breakevenOf(f5y5y, real_5y5y),
      },
      NO_TERM,
    ),
    ...describeSlopes(now, d21),
    nss: missingIn(day?.nss ?? { nominal: null, real: null }, day ? "fewer than 8 vertices, or no fit" : COARSE),
    ...describePath(inputs, path, date),
    selic_target_pct: inputs.selic_target ?? missing("not stored yet"),
    di_overnight_pct: inputs.di_overnight ?? missing("not stored yet"),
    shape: shape ?? missing(NO_TERM),
    method: {
      interpolation: "flat_forward_252",
      day_count: "du/252",
      calendar: "anbima_computed",
      real_min_du: REAL_DU_MIN,
    },
    text:
      `On ${date} Brazil's 1-year rate stood at ${show(now["1y"])} % and the 10-year rate at ${show(now["10y"])} %, ` +
      `computed from public settlement prices. The 5-year breakeven inflation was ` +
      `${show(curve.find(({ tenor }) => tenor === "5y")?.breakeven ?? null)} %; the curve is ${shape ?? "incomplete"}.`,
  };
  return { as_of_ms: momentOf(date), data, warnings };
}

/** How the curve leans, and how that changed over 21 business days. */
function describeSlopes(now: Terms, d21: Terms) {
  const changes = TENOR_NAMES.flatMap((tenor) => minus(now[tenor], d21[tenor]) ?? []);
  return {
    slopes: missingIn(
      {
        s3m10y: toBps(minus(now["10y"], now["3m"])),
        s1s5s: toBps(minus(now["5y"], now["1y"])),
        s2s10s: toBps(minus(now["10y"], now["2y"])),
        fly_2_5_10: toBps(flyOf(now)),
      },
      NO_TERM,
    ),
    pca_like: missingIn(
      {
        level_21d: changes.length === 0 ? null : (changes.reduce((sum, one) => sum + one, 0) / changes.length) * BPS,
        slope_21d: toBps(minus(minus(now["10y"], now["1y"]), minus(d21["10y"], d21["1y"]))),
        curvature_21d: toBps(minus(flyOf(now), flyOf(d21))),
      },
      "it needs both ends' rates of now and of the settlements 21 business days ago",
    ),
  };
}

/** What the curve says of the Copom's meetings. */
function describePath(inputs: CurveInputs, { before, steps }: PolicyPath, date: ISODate) {
  const last = inputs.meetings.at(-1) ?? "";
  const why = before === null ? "none of them is ahead" : "the curve does not reach beyond the next";
  const survey = inputs.focus_selic[yearOf(date)];
  return {
    implied_before_next_meeting: before ?? missing(`no meeting after ${last} is known`),
    copom_path: steps.length === 0 ? missing(`meetings are known until ${last}, and ${why}`) : [...steps],
    focus_gap_bps:
      findFocusGap(inputs, steps, date) ??
      missing(survey === undefined ? "the survey has no Selic of this year" : "the path does not reach it"),
  };
}

function describeAll(
  day: SettlementDay,
  before: SettlementDay | null,
  { extra, futures }: { readonly extra: ReadonlySet<ISODate>; readonly futures: number },
) {
  const { nominal, real } = getVertices(day.settlements, { date: day.date, extra });
  return describeFutures([...nominal.slice(0, futures), ...real.slice(0, futures)], rateBy(before));
}

/** The implied rate after the year's last meeting against the survey's Selic at the year's end. */
function findFocusGap({ focus_selic }: CurveInputs, steps: PolicyPath["steps"], date: ISODate): Maybe {
  const year = yearOf(date);
  const last = steps.filter(({ meeting_date }) => yearOf(meeting_date) === year).at(-1);
  return last ? toBps(minus(last.implied_rate, focus_selic[year] ?? null)) : null;
}

/** Which terms of a curve lie far from any of its vertices. */
function describeReach(name: "nominal" | "real", curve: readonly CurvePointData[]): readonly string[] {
  const gap = name === "nominal" ? "nominal_gap_du" : "real_gap_du";
  const far = curve.filter((row) => (row[gap] ?? 0) > Math.max(FAR_DU_MIN, FAR_SHARE * row.du));
  return far.map((row) => `${name}: ${row.tenor} lies ${row[gap]} business days from its nearest vertex`);
}

/** What is doubtful of an answer. */
function listDoubts(
  { day, meetings }: CurveInputs,
  made: {
    readonly curve: readonly CurvePointData[];
    readonly curves: Curves;
    readonly path: PolicyPath;
    readonly date: ISODate;
  },
): readonly string[] {
  const { curve, path, date } = made;
  const { front_gap_bps } = made.curves;
  const warnings: string[] = [...warnOfEnd("copom_path", meetings, date)];
  for (const name of ["nominal", "real"] as const) warnings.push(...describeReach(name, curve));
  for (const name of ["nominal", "real"] as const) {
    const rmse = day?.nss[name]?.rmse_bps ?? 0;
    if (rmse > POOR_FIT_BPS) warnings.push(`nss.${name}: poor fit, it misses the vertices by ${rmse.toFixed(1)} bps`);
  }
  // Of a step years ahead `until_date` is enough.
  if (path.open_meeting && endsSoon(meetings, date)) {
    const span = `its rate is the average of the ${OPEN_DU} bank days after it`;
    warnings.push(`copom_path: no meeting after ${path.open_meeting} is known, ${span}`);
  }
  if (front_gap_bps !== null) {
    const by = Math.abs(front_gap_bps).toFixed(0);
    warnings.push(
      `di_overnight_pct: the nearest future lies ${by} bps ${front_gap_bps > 0 ? "above" : "below"} it, farther than ` +
        "one decision moves it: one of the two is not of this day, and no rate before that future is given",
    );
  }
  return warnings;
}
