import { renderTime } from "../../core/clock.ts";
import type { CopyList, SegmentName, SnapshotName } from "./copy-names.ts";

/** From what a moment is restored: an image, and the segments after it. */
export interface RestorePlan {
  readonly image: SnapshotName;
  readonly segments: readonly SegmentName[];
}

/** The moment that asks for the newest state. */
export const NEWEST = Number.MAX_SAFE_INTEGER;

const renderMoment = (at_ms: number): string => (at_ms === NEWEST ? "the end" : renderTime(at_ms));

/** What is in a copy, for people: from when to when, and where it lacks something. */
export function describeCopy({ segments, snapshots }: CopyList): string {
  const whole = snapshots.filter((snapshot) => snapshot.whole);
  const first = whole[0];
  if (first === undefined) return "it holds no whole image of a ledger";
  const newest = Math.max(...whole.map(({ at_ms }) => at_ms), ...segments.map(({ to_ms }) => to_ms));
  return `it holds states from ${renderTime(first.at_ms)} to ${renderTime(newest)}`;
}

/**
 * Chooses the newest state at or before a moment.
 * @throws Error when the copy has no such state, or lacks a part of the way to it.
 */
export function chooseRestore(list: CopyList, at_ms: number): RestorePlan {
  const image = list.snapshots.findLast((snapshot) => snapshot.whole && snapshot.at_ms <= at_ms);
  if (image === undefined) {
    const what = at_ms === NEWEST ? "nothing to restore" : `the copy has no state of ${renderTime(at_ms)} or before`;
    throw new Error(`${what}: ${describeCopy(list)}`);
  }
  const segments: SegmentName[] = [];
  let cut = image.cut;
  let end_ms = image.at_ms;
  const after = list.segments.filter(({ generation, last }) => generation === image.generation && last > image.cut);
  for (const segment of after) {
    if (segment.from_ms > at_ms) break;
    // One that was sent again holds the same cuts.
    if (segment.last <= cut) continue;
    if (segment.first > cut + 1) throw new Error(describeGap({ cut, end_ms }, segment, at_ms));
    segments.push(segment);
    cut = segment.last;
    end_ms = segment.to_ms;
  }
  return { image, segments };
}

const describeGap = (
  { cut, end_ms }: { readonly cut: number; readonly end_ms: number },
  { first, from_ms }: SegmentName,
  at_ms: number,
): string =>
  `the copy lacks what was committed between ${renderTime(end_ms)} and ${renderTime(from_ms)} (cuts ${cut + 1} to ` +
  `${first - 1}), so nothing from there to ${renderMoment(at_ms)} can be restored. The newest state before it: ` +
  `--at ${new Date(end_ms).toISOString()}`;
