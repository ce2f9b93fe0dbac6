import { addDays, type Computed, type Draft, getOwn, missing, missingIn, NodeError, renderTime } from "intel-node";
import { getNormalCDF } from "intel-node/quant/distributions";
import { getWilsonInterval } from "intel-node/quant/intervals";
import { testMean } from "intel-node/quant/mean-tests";
import { mean } from "simple-statistics";
import { listMoves, locateEvents } from "../event-playbook/study.ts";
import type { GeoInputs, MarketSeries } from "./fetch.ts";
import {
  listLevelChanges,
  type Measured,
  measureAdvisories,
  measureMove,
  measureNews,
  measureRegions,
  sortDays,
} from "./measure.ts";
import { BANDS, type COMPONENTS, type GeoAlphaData } from "./schema.ts";

type ComponentName = (typeof COMPONENTS)[number];
type Component = GeoAlphaData["components"][number];

const DAY_MS = 86_400_000;
/** Weights and bands are this node's own. */
const WEIGHTS: Readonly<Record<ComponentName, number>> = { news: 0.45, gpr: 0.25, advisory: 0.1, market: 0.2 };
const BAND_BELOW = [40, 60, 75, 90];
const COVERAGE_MIN = 0.45;
/** The effect of fear on each market: gold and oil rise, the yen and the franc too. */
const SIGNS: Readonly<Record<string, 1 | -1>> = { GOLD: 1, BRENT: 1, USDJPY: -1, USDCHF: -1 };
const MARKETS_MIN = 2;
const HIGH_SCORE = 75;
const RUN_GAP_DAYS = 5;
const RESPONSES_MIN = 8;
const RESPONSE_WINDOWS = ["d0", "d3", "d5"] as const;

export const bandOf = (score: number): GeoAlphaData["band"] => {
  const place = BAND_BELOW.findIndex((limit) => score < limit);
  return BANDS[place < 0 ? BAND_BELOW.length : place] ?? "extreme";
};

/** Scores of the known components, and their mean by weight. Null when too little is known. */
export function combine(known: Readonly<Partial<Record<ComponentName, number>>>) {
  const scores = (Object.keys(WEIGHTS) as ComponentName[]).flatMap((name) => {
    const z = known[name];
    return z === undefined ? [] : [{ weight: WEIGHTS[name], score: 100 * getNormalCDF(z) }];
  });
  const coverage = scores.reduce((all, { weight }) => all + weight, 0);
  if (coverage < COVERAGE_MIN - 1e-9) return null;
  return { coverage, score: scores.reduce((all, one) => all + one.weight * one.score, 0) / coverage };
}

/** Days that began a run of high scores: none within 5 days of a high one before. */
export function listRuns(scores: GeoInputs["scores"]): readonly number[] {
  const high = scores.filter(({ score }) => score >= HIGH_SCORE).map(({ at_ms }) => at_ms);
  return high.filter((at_ms, index) => index === 0 || at_ms - (high[index - 1] ?? 0) > RUN_GAP_DAYS * DAY_MS);
}

/** How instruments moved after those days, by observations made later alone; none with fewer than 8 days. */
export function studyResponses(runs: readonly number[], markets: readonly MarketSeries[]) {
  if (runs.length < RESPONSES_MIN) return [];
  return markets.flatMap(({ id, points }) => {
    const places = locateEvents(points, runs);
    return RESPONSE_WINDOWS.flatMap((window) => {
      const moves = listMoves(points, places, { window, move: "log" }).map(({ value }) => value);
      if (moves.length < RESPONSES_MIN) return [];
      const rises = moves.filter((move) => move > 0).length;
      const wilson = getWilsonInterval(rises, moves.length);
      return [
        {
          asset: id,
          window,
          n: moves.length,
          mean: mean(moves),
          hit_rate: rises / moves.length,
          wilson_low: wilson?.low ?? 0,
          wilson_high: wilson?.high ?? 1,
          t: testMean(moves)?.t ?? null,
        },
      ];
    });
  });
}

/** From here on a region's news are called unusual. */
const UNUSUAL_Z = 2;

/** The region with the highest z, called unusual only when it is. */
const sayWhere = ({ theatre, z }: { readonly theatre: string; readonly z: number }): string =>
  z >= UNUSUAL_Z
    ? `The most unusual region is ${theatre} (z ${z.toFixed(2)}).`
    : `No region is unusual; the highest z is that of ${theatre} (${z.toFixed(2)}).`;

function sayWhy({ score, band, coverage, components, regions }: Omit<GeoAlphaData, "text">): string {
  const known = components.filter((one) => one.score !== null).map((one) => `${one.name} ${one.score?.toFixed(1)}`);
  const [first] = regions ?? [];
  const where = first ? ` ${sayWhere(first)}` : "";
  return (
    `Geopolitical stress stands at ${score.toFixed(1)} of 100 (${band}), from ${known.join(", ")}; ` +
    `${(coverage * 100).toFixed(0)} % of the weights are known.${where}`
  );
}

const REASONS: Readonly<Record<ComponentName, string>> = {
  news: "fewer than 20 whole days of event files are stored",
  gpr: "the Geopolitical Risk Index has no edition this node reads",
  advisory: "fewer than 8 weeks of travel advisories are stored, or none differed",
  market: "fewer than two of its four series are fresh",
};

/** The figures as they are sold: with the reason for each that is missing. */
const explain = (data: Omit<GeoAlphaData, "text">): Draft<Omit<GeoAlphaData, "text">> => ({
  ...data,
  components: data.components.map((one) => (one.score === null ? missingIn(one, REASONS[one.name]) : one)),
  change_1d: data.change_1d ?? missing("this node has no score of the day before"),
  change_7d: data.change_7d ?? missing("this node has no score of 7 days before"),
  market: missingIn(data.market, "its series is old or short"),
});

/** @throws NodeError when less than 0.45 of the weights is known. */
export function computeGeoAlpha(inputs: GeoInputs): Computed<Draft<GeoAlphaData>> {
  const { newest, advisories, markets, scores, read_at_ms } = inputs;
  const today = new Date(read_at_ms).toISOString().slice(0, 10);
  const days = sortDays(inputs.slots, newest);
  const moves = new Map(markets.map((market) => [market.id, measureMove(market)]));
  const fears = [...moves].flatMap(([id, move]) => (move ? [move.z * (getOwn(SIGNS, id) ?? 1)] : []));
  const fear = fears.length < MARKETS_MIN ? null : mean(fears);
  const measured: Readonly<Record<ComponentName, Measured | null>> = {
    news: measureNews(days),
    gpr: null,
    advisory: measureAdvisories(advisories, today),
    market: fear === null ? null : { value: fear, z: fear },
  };
  const names = Object.keys(measured) as ComponentName[];
  const total = combine(
    Object.fromEntries(names.flatMap((name) => (measured[name] ? [[name, measured[name].z]] : []))),
  );
  if (!total) {
    const message = "Too little is stored or fresh for a score yet. Nothing was charged.";
    throw new NodeError("upstream_unavailable", message, { retry_after_s: 900 });
  }
  const market_ms = Math.max(0, ...markets.flatMap(({ points }) => points.at(-1)?.at_ms ?? []));
  const dated: Readonly<Record<ComponentName, number | null>> = {
    news: newest.at_ms,
    gpr: null,
    advisory: inputs.advisories_at_ms,
    market: market_ms,
  };
  const components = names.map((name): Component => {
    const one = measured[name];
    const at_ms = dated[name];
    return {
      name,
      value: one?.value ?? null,
      z: one?.z ?? null,
      weight: WEIGHTS[name],
      score: one ? 100 * getNormalCDF(one.z) : null,
      as_of: one && at_ms !== null ? renderTime(at_ms) : null,
    };
  });
  // The scores of days that ended before now: at 00:00 UTC of their day in the store.
  const scoreOf = (days_back: number) =>
    scores.find(({ at_ms }) => at_ms === Date.parse(addDays(today, -days_back)))?.score ?? null;
  const changeFrom = (before: number | null) => (before === null ? null : total.score - before);
  const moveOf = (id: string) => moves.get(id)?.value ?? null;
  const changes = listLevelChanges(advisories).filter(({ date }) => date > addDays(today, -7));
  const runs = listRuns(scores.filter(({ at_ms }) => at_ms < Date.parse(today)));
  const responses = studyResponses(
    runs.map((at_ms) => at_ms + DAY_MS - 1),
    markets,
  );
  const data = {
    score: total.score,
    band: bandOf(total.score),
    coverage: total.coverage,
    components,
    change_1d: changeFrom(scoreOf(1)),
    change_7d: changeFrom(scoreOf(7)),
    regions: measureRegions(days, newest.counts, inputs.headlines),
    advisory_changes: changes
      .toSorted((a, b) => (a.date < b.date ? 1 : a.date > b.date ? -1 : a.country < b.country ? -1 : 1))
      .slice(0, 20)
      .map((change) => ({ ...change, url: getOwn(inputs.pages, change.country) ?? null })),
    market: {
      gold_5d_pct: moveOf("GOLD"),
      brent_5d_pct: moveOf("BRENT"),
      usdjpy_5d_pct: moveOf("USDJPY"),
      usdchf_5d_pct: moveOf("USDCHF"),
    },
    history_response: responses,
  };
  const warnings = [
    ...inputs.warnings,
    ...(responses.length === 0 ? [`history_response: fewer than ${RESPONSES_MIN} high scores have been followed`] : []),
  ];
  return { as_of_ms: Math.min(newest.at_ms, read_at_ms), data: { ...explain(data), text: sayWhy(data) }, warnings };
}
