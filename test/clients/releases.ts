import type { Family } from "./families.ts";

/** A release as the registry knows it. */
export interface Release {
  readonly family: Family;
  readonly package: string;
  readonly version: string;
  readonly published_ms: number;
}

const MONTHS = 6;
/** What is younger may still be withdrawn: nothing so new is installed here. */
export const RELEASE_DAYS_MIN = 3;
const DAY_MS = 86_400_000;

function since(now_ms: number): number {
  const date = new Date(now_ms);
  return date.setUTCMonth(date.getUTCMonth() - MONTHS);
}

/** Every release that npm names with its time, candidates and nightly builds left out. */
async function readTimes(name: string): Promise<readonly (readonly [version: string, published_ms: number])[]> {
  const child = Bun.spawn(["npm", "view", name, "time", "--json"], { stdio: ["ignore", "pipe", "pipe"] });
  const [text, trouble] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  if ((await child.exited) !== 0) throw new Error(`npm view ${name}: ${trouble.split("\n")[0]}`);
  return Object.entries(JSON.parse(text) as Record<string, string>)
    .filter(([version]) => /^\d+\.\d+\.\d+$/.test(version))
    .map(([version, time]) => [version, Date.parse(time)] as const);
}

/** The newest release, and all others of the last six months, the youngest first. */
export async function listReleases(family: Family, now_ms: number): Promise<readonly Release[]> {
  const known = (await readTimes(family.package))
    .filter(([, published_ms]) => published_ms <= now_ms - RELEASE_DAYS_MIN * DAY_MS)
    .sort(([, a], [, b]) => b - a);
  const newest = [...known].sort(([a], [b]) => Bun.semver.order(b, a)).slice(0, 1);
  const recent = known.filter((one) => one[1] >= since(now_ms) && one !== newest[0]);
  return [...newest, ...recent].map(([version, published_ms]) => ({
    family,
    package: family.package,
    version,
    published_ms,
  }));
}

/**
 * The newest, the oldest and a middle one of every package, so that a break is seen within the first hour; then the
 * others, the youngest first: what people use is tried before what they left.
 */
export function orderReleases(lists: readonly (readonly Release[])[]): readonly Release[] {
  const pick = (place: (list: readonly Release[]) => number) =>
    lists.flatMap((list) => list.slice(place(list))[0] ?? []);
  const first = [pick(() => 0), pick(({ length }) => length - 1), pick(({ length }) => Math.floor(length / 2))].flat();
  const rest = lists.flat().sort((a, b) => b.published_ms - a.published_ms);
  return [...new Set([...first, ...rest])];
}
