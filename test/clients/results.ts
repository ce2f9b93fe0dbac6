import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const RESULTS = join(import.meta.dir, "results.gen.json");

/** What became of buying with one release. */
export interface Tried {
  readonly package: string;
  readonly version: string;
  /** Day of publication, as the registry says it. */
  readonly published: string;
  /** What it bought with beside itself, at the versions that npm chose. */
  readonly beside: readonly string[];
  /** `unusable`: it cannot be installed, loaded or told to pay here at all; nothing was asked of the node. */
  readonly outcome: "works" | "fails" | "unusable";
  /** First line of what went wrong; null where nothing did. */
  readonly error: string | null;
  /** Kinds of call that were answered with the right data. */
  readonly bought: readonly string[];
}

const nameOf = (one: { readonly package: string; readonly version: string }): string => `${one.package}@${one.version}`;

export const readResults = (file = RESULTS): readonly Tried[] =>
  existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Tried[]) : [];

/** One line a release, by package and newest first, so that a change shows what changed. */
export const renderResults = (tried: readonly Tried[]): string =>
  `[\n${[...tried]
    .sort((a, b) => comparePackages(a, b) || Bun.semver.order(b.version, a.version))
    .map((one) => JSON.stringify(one))
    .join(",\n")}\n]\n`;

const comparePackages = (a: Tried, b: Tried): number => (a.package < b.package ? -1 : Number(a.package > b.package));

/** Puts one more in, in the place of an earlier try of the same release; whole or not at all. */
export function keepResult(one: Tried, file = RESULTS): readonly Tried[] {
  const others = readResults(file).filter((other) => nameOf(other) !== nameOf(one));
  const all = [...others, one];
  writeFileSync(`${file}.tmp`, renderResults(all));
  renameSync(`${file}.tmp`, file);
  return all;
}

/** Whether a run that goes on may leave a release out; what failed is tried again. */
export const isDone = (tried: readonly Tried[], release: { readonly package: string; readonly version: string }) =>
  tried.some((one) => nameOf(one) === nameOf(release) && one.outcome !== "fails");
