/**
 * What is in a copy, by name: a generation begins when a process opens the books, and has images of the whole file
 * (snapshots) and what was committed between them (segments). Commits that were looked at together are a cut; cuts of a
 * generation are numbered from 1 on without a gap.
 */
export interface SegmentName {
  readonly key: string;
  readonly generation: string;
  readonly first: number;
  readonly last: number;
  readonly from_ms: number;
  readonly to_ms: number;
}

export interface SnapshotName {
  /** Of its folder. */
  readonly key: string;
  readonly generation: string;
  /** The last cut that is in it. */
  readonly cut: number;
  readonly at_ms: number;
  /** Its manifest is there, which is written last: the image is whole. */
  readonly whole: boolean;
}

export interface CopyList {
  readonly segments: readonly SegmentName[];
  readonly snapshots: readonly SnapshotName[];
  readonly keys: readonly string[];
}

export const MANIFEST = "manifest";
const NUMBER_DIGITS = 10;

/** "20261129T101500123Z": in the order of time. */
const stamp = (ms: number): string => new Date(ms).toISOString().replace(/[-:.]/g, "");
const number = (value: number): string => String(value).padStart(NUMBER_DIGITS, "0");

function readStamp(text: string): number {
  const [, year, month, day, hour, minute, second, ms] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z$/.exec(text) ?? [];
  return Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
    Number(ms),
  );
}

export const generationName = (now_ms: number, random: Uint8Array): string => `${stamp(now_ms)}-${random.toHex()}`;

export const segmentKey = (name: Omit<SegmentName, "key">): string =>
  `${name.generation}/segment-${number(name.first)}-${number(name.last)}-${stamp(name.from_ms)}-${stamp(name.to_ms)}`;

export const snapshotKey = (name: Omit<SnapshotName, "key" | "whole">): string =>
  `${name.generation}/snapshot-${number(name.cut)}-${stamp(name.at_ms)}`;

const GENERATION = "(\\d{8}T\\d{9}Z-[0-9a-f]{16})";
const SEGMENT = new RegExp(`^${GENERATION}/segment-(\\d{10})-(\\d{10})-(\\d{8}T\\d{9}Z)-(\\d{8}T\\d{9}Z)$`);
const SNAPSHOT = new RegExp(`^(${GENERATION}/snapshot-(\\d{10})-(\\d{8}T\\d{9}Z))/(.+)$`);

function readSegment(key: string): SegmentName | null {
  const [, generation, first, last, from, to] = SEGMENT.exec(key) ?? [];
  if (generation === undefined) return null;
  const [from_ms, to_ms] = [readStamp(from ?? ""), readStamp(to ?? "")];
  return { key, generation, first: Number(first), last: Number(last), from_ms, to_ms };
}

/** Segments in the order of their cuts, snapshots in the order of time. Objects with other names are ignored. */
export function readNames(keys: readonly string[]): CopyList {
  const segments: SegmentName[] = [];
  const snapshots = new Map<string, SnapshotName>();
  for (const key of keys) {
    const segment = readSegment(key);
    if (segment !== null) segments.push(segment);
    const [, folder = "", generation = "", cut, at = "", file] = SNAPSHOT.exec(key) ?? [];
    if (folder === "") continue;
    const whole = file === MANIFEST || snapshots.get(folder)?.whole === true;
    snapshots.set(folder, { key: folder, generation, cut: Number(cut), at_ms: readStamp(at), whole });
  }
  const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
  return {
    keys,
    segments: segments.sort((a, b) => byText(a.generation, b.generation) || a.first - b.first || b.last - a.last),
    snapshots: [...snapshots.values()].sort((a, b) => a.at_ms - b.at_ms || byText(a.key, b.key)),
  };
}
