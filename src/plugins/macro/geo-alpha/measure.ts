import { addDays, getOwn } from "intel-node";
import { fitRobust, getRobustZ } from "intel-node/quant/robust";
import { mean, sampleStandardDeviation } from "simple-statistics";
import type { EventCounts, PlaceCount } from "../providers/gdelt-events/event-file.ts";
import { THEATRE_NAMES, THEATRES, type Theatre } from "../theatres/theatres.ts";
import type { DatedCounts, DatedLevels, GeoInputs, MarketSeries } from "./fetch.ts";

const DAY_MS = 86_400_000;
const DAYS_MIN = 20;
const COUNTRY_DAYS_MIN = 10;
const MENTIONS_MIN = 200;
const WEEKS_MIN = 8;
const MOVES = 250;
const MOVES_MIN = 60;
const MOVE_OF = 5;

/** A measure with how unusual it is against its own past. */
export interface Measured {
  readonly value: number;
  readonly z: number;
}

const sum = (counts: readonly PlaceCount[]): PlaceCount => [
  counts.reduce((total, [mentions]) => total + mentions, 0),
  counts.reduce((total, [, conflict]) => total + conflict, 0),
  counts.reduce((total, [, , goldstein]) => total + goldstein, 0),
];
/** Share of mentions that are of material conflict, and the mean Goldstein scale; null without mentions. */
export function describe([mentions, conflict, goldstein]: PlaceCount) {
  return mentions === 0 ? null : { conflict_share: conflict / mentions, goldstein: goldstein / mentions };
}

export interface EventDays {
  /** The last 24 hours: the four slots in them, and the newest file. */
  readonly live: readonly EventCounts[];
  /** The files of each whole UTC day before them, days with all four slots alone. */
  readonly days: readonly (readonly EventCounts[])[];
}

/** Sorts slots into the live day and the days before: samples of the same size. */
export function sortDays(slots: readonly DatedCounts[], newest: DatedCounts): EventDays {
  const known = slots.filter(({ at_ms }) => at_ms <= newest.at_ms);
  const since_ms = newest.at_ms - DAY_MS;
  const live = known.filter(({ at_ms }) => at_ms > since_ms).map(({ counts }) => counts);
  const is_slot = known.some(({ at_ms }) => at_ms === newest.at_ms);
  const today = new Date(newest.at_ms).toISOString().slice(0, 10);
  const by_day = new Map<string, EventCounts[]>();
  for (const { at_ms, counts } of known) {
    const date = new Date(at_ms).toISOString().slice(0, 10);
    // The live day is not part of its own baseline.
    if (at_ms <= since_ms && date < today) by_day.set(date, [...(by_day.get(date) ?? []), counts]);
  }
  const whole = [...by_day.values()].filter((files) => files.length === 4);
  return { live: is_slot ? live : [...live, newest.counts], days: whole };
}

/** The world's share of conflict against that of the days before; null with fewer than 20 of them. */
export function measureNews({ live, days }: EventDays): Measured | null {
  const now = describe(sum(live.map(({ world }) => world)));
  const before = days.flatMap((files) => describe(sum(files.map(({ world }) => world)))?.conflict_share ?? []);
  const z = now && before.length >= DAYS_MIN ? getRobustZ(before, now.conflict_share) : null;
  return now && z !== null ? { value: now.conflict_share, z } : null;
}

/** Theatres by the mean z of their countries, weighted by mentions; highest first. */
export function measureRegions({ live, days }: EventDays, newest: EventCounts, headlines: GeoInputs["headlines"]) {
  const countOf = (files: readonly EventCounts[], code: string): PlaceCount =>
    sum(files.flatMap(({ countries }) => (countries[code] ? [countries[code]] : [])));
  const regions = THEATRE_NAMES.flatMap((theatre) => {
    const countries = THEATRES[theatre].codes.map((code) => ({ code, count: countOf(live, code) }));
    const total = sum(countries.map(({ count }) => count));
    const described = describe(total);
    const unusual = countries.flatMap(({ code, count }) => {
      const now = describe(count);
      const before = days.flatMap((files) => describe(countOf(files, code))?.conflict_share ?? []);
      const z = now && before.length >= COUNTRY_DAYS_MIN ? getRobustZ(before, now.conflict_share) : null;
      return z === null ? [] : [{ z, mentions: count[0] }];
    });
    const weight = unusual.reduce((all, { mentions }) => all + mentions, 0);
    if (!described || total[0] < MENTIONS_MIN || weight === 0) return [];
    const z = unusual.reduce((all, one) => all + one.z * one.mentions, 0) / weight;
    const top_urls = (newest.pages[theatre] ?? []).map(([url]) => url);
    return [{ theatre, z, ...described, mentions: total[0], top_urls, headlines: listNamed(theatre, headlines) }];
  });
  return regions.toSorted((a, b) => b.z - a.z || (a.theatre < b.theatre ? -1 : 1)).slice(0, 10);
}

const HEADLINES_MAX = 3;
/** Headlines that name a place of the theatre. */
function listNamed(theatre: Theatre, headlines: GeoInputs["headlines"]): { title: string; url: string }[] {
  const words = THEATRES[theatre].places.join("|");
  const named = new RegExp(`\\b(?:${words})\\b`, "iu");
  return headlines
    .filter(({ title }) => named.test(title))
    .slice(0, HEADLINES_MAX)
    .map(({ title, url }) => ({ title, url }));
}

export interface LevelChange {
  readonly country: string;
  readonly from: number;
  readonly to: number;
  readonly date: string;
}

/** Changes from each stored day to the next one, oldest first; a country that is new or gone is not a change. */
export function listLevelChanges(days: readonly DatedLevels[]): readonly LevelChange[] {
  return days.flatMap(({ date, levels }, index) => {
    const before = days[index - 1]?.levels ?? {};
    return Object.entries(levels).flatMap(([country, to]) => {
      const from = getOwn(before, country);
      return from === undefined || from === to ? [] : [{ country, from, to, date }];
    });
  });
}

/**
 * Steps up of the last 7 days against those of the weeks before; null with fewer than 8 of them, or when all are equal.
 */
export function measureAdvisories(days: readonly DatedLevels[], today: string): Measured | null {
  const first = days[0]?.date;
  if (first === undefined || (days.at(-1)?.date ?? "") < addDays(today, -2)) return null;
  const changes = listLevelChanges(days);
  const stepsIn = (from: string, to: string): number =>
    changes
      .filter(({ date }) => date > from && date <= to)
      .reduce((all, one) => all + Math.max(0, one.to - one.from), 0);
  const weeks: number[] = [];
  for (let end = addDays(today, -7); addDays(end, -7) >= first; end = addDays(end, -7))
    weeks.push(stepsIn(addDays(end, -7), end));
  const deviation = weeks.length >= WEEKS_MIN ? sampleStandardDeviation(weeks) : 0;
  const value = stepsIn(addDays(today, -7), today);
  return deviation > 0 ? { value, z: (value - mean(weeks)) / deviation } : null;
}

/** The last 5-observation move, percent, and how unusual it is among the 250 before; null with too few. */
export function measureMove({ points }: MarketSeries): Measured | null {
  const moves = points
    .slice(MOVE_OF)
    .map(({ value }, index) => Math.log(value / (points[index]?.value ?? value)) * 100);
  const [value, before] = [moves.at(-1), moves.slice(-(MOVES + 1), -1)];
  const fit = before.length < MOVES_MIN ? null : fitRobust(before);
  return value === undefined || fit === null ? null : { value, z: (value - fit.median) / fit.scale };
}
