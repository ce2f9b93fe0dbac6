import { Type } from "@sinclair/typebox";
import { defineSeries, type FetchContext, type ProviderDefinition } from "intel-node";
import { bea } from "../providers/bea/provider.ts";
import { bls } from "../providers/bls/provider.ts";
import { fredApi } from "../providers/fred-api/provider.ts";
import type { KindId, ScheduledEvent } from "./kinds.ts";

/** Releases whose dates are stored, and the calendars that say them, the publisher's own first. */
export const RELEASE_CALENDARS = {
  cpi: [bls, fredApi],
  jobs: [bls, fredApi],
  ppi: [bls, fredApi],
  gdp: [bea, fredApi],
  pce: [bea, fredApi],
  retail: [fredApi],
  claims: [fredApi],
} as const satisfies Partial<Record<KindId, readonly ProviderDefinition[]>>;
export type ReleaseKind = keyof typeof RELEASE_CALENDARS;
export const RELEASE_KINDS = Object.keys(RELEASE_CALENDARS) as ReleaseKind[];
export const isReleaseKind = (kind: KindId): kind is ReleaseKind => Object.hasOwn(RELEASE_CALENDARS, kind);

/** A release and the provider whose calendar said so. */
export type StoredRelease = [at_ms: number, source: string];

/**
 * Every release of a kind that a calendar ever listed: the publishers' files hold about a year. `at_ms` of the sample
 * is when they were last read; a release still to come then may have been put off since.
 */
export const releaseDates = defineSeries({
  name: "macro/release-dates",
  value: Type.Array(Type.Tuple([Type.Integer(), Type.String({ maxLength: 32 })]), { minItems: 1, maxItems: 5_000 }),
  keep: "newest",
  storage: "kept",
  cited: true,
});

/** Two calendars date one release within these; claims are a week apart. */
const SAME_MS = 3 * 86_400_000;

/** Calendars are read daily: a release due longer after the last reading may have been put off unseen. */
export const CONFIRMED_MS = 36 * 3_600_000;

/**
 * What is known after a reading: of the past all that any calendar ever said, of the future only what one says now,
 * since a postponed release is in none of those. Of one release the first list's date is kept.
 */
export function mergeReleases(
  lists: readonly (readonly StoredRelease[])[],
  { before, read_ms }: { readonly before: readonly StoredRelease[]; readonly read_ms: number },
): readonly StoredRelease[] {
  const kept: StoredRelease[] = [];
  for (const list of [...lists, before.filter(([at_ms]) => at_ms <= read_ms + CONFIRMED_MS)]) {
    // A list never hides its own neighbours, only another list's date of the same release.
    const known = kept.map(([at_ms]) => at_ms);
    kept.push(...list.filter(([at_ms]) => !known.some((other) => Math.abs(other - at_ms) <= SAME_MS)));
  }
  return kept.toSorted((a, b) => a[0] - b[0]);
}

/** Stored releases of a kind with when their calendars were last read; none when nothing is stored. */
export async function readReleases(
  context: FetchContext,
  kind: KindId,
): Promise<{ readonly releases: readonly StoredRelease[]; readonly read_ms: number } | null> {
  if (!isReleaseKind(kind)) return null;
  const sample = await releaseDates.newest(context, { of: kind });
  if (!sample) return null;
  const calendars: readonly string[] = RELEASE_CALENDARS[kind].map(({ id }) => id);
  for (const source of sample.sources) if (calendars.includes(source.provider)) context.cite(source);
  return { releases: sample.value, read_ms: sample.at_ms };
}

export const toStored = ({ at_ms, source }: ScheduledEvent): StoredRelease => [at_ms, source];
