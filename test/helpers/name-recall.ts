import { normalizeName } from "../../src/names/normalize-name.ts";
import type { ListedName, NameIndex } from "../../src/names/types.ts";
import { asWritten, mistype, type SyntheticNames } from "./synthetic-names.ts";

/** One way people write a listed name, and what share of such names must be found, and found as a hit. */
export interface RecallRule {
  readonly rule: string;
  readonly of: "all" | "persons" | "entities";
  readonly change: (name: string, random: () => number) => string;
  readonly found_min: number;
  readonly hits_min: number;
}

const words = (name: string): string[] => asWritten(name).replaceAll(/[.,]/g, "").split(" ");

function splitLongest(name: string): string {
  const list = words(name);
  const longest = list.reduce((a, b) => (b.length > a.length ? b : a));
  const middle = Math.floor(longest.length / 2);
  return list.map((word) => (word === longest ? `${word.slice(0, middle)} ${word.slice(middle)}` : word)).join(" ");
}

function joinFirstTwo(name: string): string {
  const [first = "", second = "", ...rest] = words(name);
  return [first + second, ...rest].join(" ");
}

function withInitial(name: string): string {
  const [first = "", second = "", third = ""] = words(name);
  return `${first} ${second.charAt(0)}. ${third}`;
}

const withoutSecond = (name: string): string =>
  words(name)
    .filter((_, place) => place !== 1)
    .join(" ");

export const RECALL_RULES: readonly RecallRule[] = [
  { rule: "as listed", of: "all", change: (name) => name, found_min: 1, hits_min: 1 },
  { rule: "reordered", of: "persons", change: asWritten, found_min: 1, hits_min: 1 },
  { rule: "second name left out", of: "persons", change: withoutSecond, found_min: 0.99, hits_min: 0 },
  { rule: "second name as an initial", of: "persons", change: withInitial, found_min: 0.99, hits_min: 0 },
  {
    rule: "one slip of the finger",
    of: "persons",
    change: (name, random) => mistype(asWritten(name), random),
    found_min: 0.96,
    hits_min: 0.93,
  },
  {
    rule: "one slip of the finger",
    of: "entities",
    change: (name, random) => mistype(asWritten(name), random),
    found_min: 0.92,
    hits_min: 0.88,
  },
  { rule: "longest word split in two", of: "persons", change: splitLongest, found_min: 0.99, hits_min: 0.99 },
  { rule: "first two words joined", of: "persons", change: joinFirstTwo, found_min: 0.99, hits_min: 0.99 },
];

/** Names asked for per rule. */
const SAMPLE = 400;

const isPerson = ({ name }: ListedName): boolean =>
  /^\S+, \S+ \S+$/.test(name) && normalizeName(name).tokens.length === 3;
const isEntity = ({ name }: ListedName): boolean => !name.includes(", ") && normalizeName(name).tokens.length >= 2;

/** Shares of names, from 0 to 1: found in any band, and in the bands that make a hit. */
export function measureRecall(index: NameIndex, names: SyntheticNames, rule: RecallRule) {
  const kind = { all: () => true, persons: isPerson, entities: isEntity }[rule.of];
  const asked = names.listed.filter(kind).slice(0, SAMPLE);
  let [found, hits] = [0, 0];
  for (const { id, name } of asked) {
    const match = index.find(rule.change(name, names.random), { limit: 200 }).find(({ listed }) => listed.id === id);
    if (match) found++;
    if (match && match.band !== "possible") hits++;
  }
  return { found: found / asked.length, hits: hits / asked.length };
}

/** How many innocent names are found at all, and as a hit. */
export function measureFalseAlarms(index: NameIndex, { innocent }: SyntheticNames) {
  const bands = innocent.map((name) => index.find(name)[0]?.band);
  const possible = bands.filter((band) => band === "possible").length;
  return { asked: innocent.length, possible, hits: bands.filter((band) => band !== undefined).length - possible };
}
