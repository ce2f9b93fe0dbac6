import { type Computed, type Draft, missing, NodeError } from "intel-node";
import { type Bar, DAY_MS } from "intel-node/providers/bars";
import { getMovingAverage } from "intel-node/quant/stats";
import type { BarSeries } from "intel-node/series/bar-series";
import { SECTOR_MEMBERS, SECTORS, type Sector } from "../universe/universe.ts";
import { MEMBERS_RATIO_MIN, type SectorRotationInputs } from "./fetch.ts";
import { computeRotations, type Group, getZScores, type Returns, type SectorRotation } from "./rotation.ts";
import type { SectorData, SectorRotationData } from "./schema.ts";

type Dropped = NonNullable<SectorRotationData["dropped"]>[number];

/** Bars up to here count once this share of the members has them; the job needs minutes to fetch all of them. */
const REACHED_RATIO = 0.9;
const MEMBERS_MIN = 2;
const AVERAGE_DAYS = 50;
const CHANGE_DAYS = 7;
const CLOSES_MIN = 91;
/** With capitalisations of fewer members, all members weigh the same. */
const CAPS_RATIO_MIN = 0.8;

const toPercent = (ratio: number): number => ratio * 100;

/** 91 closes by symbol that end with the same day. */
interface Closes {
  readonly last_ms: number;
  readonly by_symbol: ReadonlyMap<string, readonly number[]>;
}

/** The newest day that nearly all members have reached. */
function getLastDay(series: readonly BarSeries[]): number {
  const lasts = series.map(({ bars }) => bars.at(-1)?.t_ms ?? 0).sort((a, b) => b - a);
  return lasts[Math.ceil(lasts.length * REACHED_RATIO) - 1] ?? Number.NaN;
}

/** Returns are taken by position, so that a missing day would make them returns over other days. */
const isComplete = (bars: readonly Bar[], last_ms: number): boolean =>
  bars.length === CLOSES_MIN &&
  bars.every(({ t_ms, close }, index) => t_ms === last_ms - (CLOSES_MIN - 1 - index) * DAY_MS && close > 0);

function alignCloses(series: readonly BarSeries[]): Closes {
  const last_ms = getLastDay(series);
  const by_symbol = new Map<string, readonly number[]>();
  for (const { symbol, bars } of series) {
    const used = bars.filter(({ t_ms }) => t_ms <= last_ms).slice(-CLOSES_MIN);
    if (isComplete(used, last_ms)) {
      by_symbol.set(
        symbol,
        used.map(({ close }) => close),
      );
    }
  }
  return { last_ms, by_symbol };
}

/** Return over some days, as of `ago` days before the last close; NaN where the closes do not reach. */
const getReturn = (closes: readonly number[], days: number, ago: number): number =>
  (closes.at(-1 - ago) ?? Number.NaN) / (closes.at(-1 - ago - days) ?? Number.NaN) - 1;

/** Nobody looks at the 90-day return of a week ago. */
const getReturns = (closes: readonly number[], ago: number): Returns => ({
  7: getReturn(closes, 7, ago),
  30: getReturn(closes, 30, ago),
  90: ago === 0 ? getReturn(closes, 90, 0) : Number.NaN,
});

interface Weights {
  /** Null when all members weigh the same. */
  readonly source: string | null;
  /** Why they do. */
  readonly why_same: string;
  readonly of: (symbol: string) => number | undefined;
}

/** Capitalisations where nearly all members have one; a member without would have an invented weight. */
function chooseWeights(caps: SectorRotationInputs["caps"], symbols: readonly string[]): Weights {
  const weighSame = (why: string) => ({ source: null, why_same: `${why}; all members weigh the same`, of: () => 1 });
  if (!caps.ok) return weighSame("no market capitalisations could be read");
  const { source, caps: known } = caps.value;
  const covered = symbols.filter((symbol) => known.has(symbol)).length;
  if (covered < symbols.length * CAPS_RATIO_MIN) {
    return weighSame(`${source} knows ${covered} of ${symbols.length} members`);
  }
  return { source, why_same: "", of: (symbol) => known.get(symbol) };
}

/** Why a member has no closes to compare. */
const whyWithout = (symbol: string, series: readonly BarSeries[]): string =>
  series.some((one) => one.symbol === symbol)
    ? "its daily bars do not end with the day of the others"
    : `nobody has ${CLOSES_MIN + 1} daily bars of it`;

interface Selection {
  readonly sectors: readonly Sector[];
  readonly dropped: readonly Dropped[];
}

/** Members that can be used, in sectors of at least two; the others with the reason. */
function selectMembers(series: readonly BarSeries[], { by_symbol }: Closes, weights: Weights): Selection {
  const dropped: Dropped[] = [];
  const usable = SECTORS.map(({ id, members }) => {
    const kept = members.filter((symbol) => {
      const reason = !by_symbol.has(symbol)
        ? whyWithout(symbol, series)
        : weights.of(symbol) === undefined
          ? "no market capitalisation"
          : null;
      if (reason !== null) dropped.push({ symbol, sector: id, reason });
      return reason === null;
    });
    return { id, members: kept };
  });
  const [small, sectors] = [
    usable.filter(({ members }) => members.length < MEMBERS_MIN),
    usable.filter(({ members }) => members.length >= MEMBERS_MIN),
  ];
  for (const { id, members } of small) {
    for (const symbol of members) dropped.push({ symbol, sector: id, reason: "no other member of its sector is left" });
  }
  return { sectors, dropped };
}

interface Basis {
  readonly closes: Closes;
  readonly weights: Weights;
}

/** The sectors as of some days ago, with today's weights. */
const groupMembers = (sectors: readonly Sector[], { closes: { by_symbol }, weights }: Basis, ago = 0): Group[] =>
  sectors.map(({ id, members }) => ({
    id,
    members: members.map((symbol) => ({
      symbol,
      weight: weights.of(symbol) ?? Number.NaN,
      returns: getReturns(by_symbol.get(symbol) ?? [], ago),
    })),
  }));

const meanOf = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;

function describeSector(
  { members }: Group,
  rotation: SectorRotation,
  { by_symbol }: Closes,
): Omit<SectorData, "rank" | "momentum_z"> {
  const whole = members.reduce((sum, { weight }) => sum + weight, 0);
  const above = members.filter(({ symbol }) => {
    const closes = by_symbol.get(symbol) ?? [];
    return (closes.at(-1) ?? Number.NaN) > (getMovingAverage(closes, AVERAGE_DAYS) ?? Number.NaN);
  });
  const { id, quadrant, returns, rs30, momentum } = rotation;
  return {
    id,
    quadrant,
    r7_pct: toPercent(returns[7]),
    r30_pct: toPercent(returns[30]),
    r90_pct: toPercent(returns[90]),
    rs30_pct: toPercent(rs30),
    momentum_pct: toPercent(momentum),
    breadth_frac: above.length / members.length,
    equal_weight_r30_pct: toPercent(meanOf(members.map((one) => one.returns[30]))),
    concentration_frac: Math.max(...members.map(({ weight }) => weight)) / whole,
    members: [...members]
      .sort((a, b) => b.weight - a.weight)
      .map((one) => ({
        symbol: one.symbol,
        weight_frac: one.weight / whole,
        r7_pct: toPercent(one.returns[7]),
        r30_pct: toPercent(one.returns[30]),
      })),
  };
}

function assertEnough({ sectors }: Selection): void {
  const members = sectors.reduce((sum, one) => sum + one.members.length, 0);
  if (members >= SECTOR_MEMBERS.length * MEMBERS_RATIO_MIN) return;
  const message = `Only ${members} of ${SECTOR_MEMBERS.length} sector members have prices of the same day.`;
  throw new NodeError("upstream_unavailable", `${message} Nothing was charged.`, { retry_after_s: 60 });
}

/**
 * Sectors against all their members together.
 * @throws NodeError upstream_unavailable when too few members have prices of the same day.
 */
export function computeSectorRotation({ series, caps }: SectorRotationInputs): Computed<Draft<SectorRotationData>> {
  const warnings: string[] = [];
  const closes = alignCloses(series);
  const weights = chooseWeights(caps, [...closes.by_symbol.keys()]);
  const selection = selectMembers(series, closes, weights);
  assertEnough(selection);
  const { sectors, dropped } = selection;
  if (dropped.length > 0) {
    const members = dropped.length === 1 ? "1 member is" : `${dropped.length} members are`;
    warnings.push(`sectors: ${members} left out, see dropped`);
  }
  const groups = groupMembers(sectors, { closes, weights });
  const { market, groups: rotations } = computeRotations(groups);
  const before = computeRotations(groupMembers(sectors, { closes, weights }, CHANGE_DAYS)).groups;
  const z = getZScores(rotations.map(({ momentum }) => momentum));
  const described = rotations.flatMap((rotation, index) => {
    const [group, momentum_z] = [groups[index], z[index] ?? null];
    if (!group) return [];
    return [{ rs30: rotation.rs30, sector: { ...describeSector(group, rotation, closes), momentum_z } }];
  });
  const ranked = described.sort((a, b) => b.rs30 - a.rs30).map(({ sector }, index) => ({ ...sector, rank: index + 1 }));
  const changes = rotations.flatMap(({ id, quadrant: to }, index) => {
    const from = before[index]?.quadrant;
    return from === undefined || from === to ? [] : [{ id, from, to }];
  });
  return {
    as_of_ms: closes.last_ms + DAY_MS,
    data: {
      market: { r7_pct: toPercent(market[7]), r30_pct: toPercent(market[30]), r90_pct: toPercent(market[90]) },
      sectors: ranked,
      changes,
      weights: weights.source === null ? "equal" : "market_cap",
      caps_source: weights.source ?? missing(weights.why_same),
      dropped: [...dropped],
    },
    warnings,
  };
}

/** Yesterday's view: without the newest bars, with today's weights. */
export const rewindSectorRotation = ({ series, caps }: SectorRotationInputs): SectorRotationInputs => {
  const last_ms = getLastDay(series);
  return {
    series: series.map((one) => ({ ...one, bars: one.bars.filter(({ t_ms }) => t_ms < last_ms) })),
    caps,
  };
};

/** Quadrants only. */
export const redactSectorRotation = (data: SectorRotationData): SectorRotationData => ({
  ...data,
  market: null,
  changes: null,
  dropped: null,
  sectors: data.sectors.map(({ id, rank, quadrant }) => ({
    id,
    rank,
    quadrant,
    r7_pct: null,
    r30_pct: null,
    r90_pct: null,
    rs30_pct: null,
    momentum_pct: null,
    momentum_z: null,
    breadth_frac: null,
    equal_weight_r30_pct: null,
    concentration_frac: null,
    members: null,
  })),
});
