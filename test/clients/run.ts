import { parseArgs } from "node:util";
import { FAMILIES } from "./families.ts";
import { type Market, openMarket } from "./market.ts";
import { listReleases, orderReleases, type Release } from "./releases.ts";
import { isDone, keepResult, readResults, type Tried } from "./results.ts";
import { createScratch, type Installer } from "./scratch.ts";
import { writeTable } from "./table.ts";

/**
 * `bun run test:clients [--resume] [--write] [--only PACKAGE[@VERSION]]`: buys from one node with every release of the
 * last six months of other people's clients, each installed unmodified from the npm registry. Not among the tests that
 * run by themselves: it needs the registry, and hours.
 */
const { values } = parseArgs({
  options: { resume: { type: "boolean" }, write: { type: "boolean" }, only: { type: "string", multiple: true } },
});

const FIRST_LINE_CHARS = 200;
const firstLine = (text: string): string => (text.split("\n")[0] ?? "").slice(0, FIRST_LINE_CHARS);

/** "openai" or "openai@7.1.0"; a scope's own @ stands first. */
function isWanted({ package: name, version }: Pick<Release, "package" | "version">): boolean {
  if (!values.only) return true;
  return values.only.some((one) => one === name || one === `${name}@${version}`);
}

type Found = Omit<Tried, "package" | "version" | "published">;

async function attempt(market: Market, release: Release, installer: Installer): Promise<Found> {
  const scratch = await createScratch(release, installer);
  try {
    const { trouble, beside } = scratch;
    const unusable = (reason: string) =>
      ({ beside, outcome: "unusable", error: firstLine(reason), bought: [] }) as const;
    if (trouble !== null) return unusable(trouble);
    const buyer = await market.newBuyer();
    const said = await scratch.drive(buyer);
    const reason = said.find((one) => one.unusable !== undefined)?.unusable;
    if (reason !== undefined) return unusable(reason);
    const { bought, error } = await market.judge(buyer, said);
    return { beside, outcome: error === null ? "works" : "fails", error: error && firstLine(error), bought };
  } finally {
    scratch.remove();
  }
}

/** What no other tree brings: the release has no such thing at all. */
const IS_ABSENT = /^(?:exports no|has no) |is not defined by "exports"/;

async function tryRelease(market: Market, release: Release): Promise<Tried> {
  const published = new Date(release.published_ms).toISOString().slice(0, "2026-01-01".length);
  let found = await attempt(market, release, "bun");
  // Once more: a machine that was held, or a registry that hung up, is no word about a release.
  if (found.outcome === "fails" || (found.error && !IS_ABSENT.test(found.error)))
    found = await attempt(market, release, "npm");
  return { package: release.package, version: release.version, published, ...found };
}

const families = FAMILIES.filter(({ package: name }) =>
  (values.only ?? [name]).some((one) => one === name || one.startsWith(`${name}@`)),
);
const now_ms = Date.now();
const lists: (readonly Release[])[] = [];
for (const family of families) lists.push(await listReleases(family, now_ms));
const releases = orderReleases(lists).filter(isWanted);
const left = values.resume ? releases.filter((release) => !isDone(readResults(), release)) : releases;
console.log(`${releases.length} releases of ${families.length} packages, ${left.length} to try`);

const market = await openMarket();
const counts = { works: 0, fails: 0, unusable: 0, left_out: 0 };

async function tryAndTell(release: Release, place: string): Promise<void> {
  const began_ms = performance.now();
  const name = `${release.package}@${release.version}`;
  const tell = (what: string) => {
    console.log(`${place} ${name} ${((performance.now() - began_ms) / 1_000).toFixed(1)} s ${what}`);
  };
  try {
    const tried = await tryRelease(market, release);
    counts[tried.outcome] += 1;
    if (values.write) writeTable(keepResult(tried));
    tell(`${tried.outcome}: ${tried.error ?? tried.bought.join(", ")}`);
  } catch (error) {
    // A trouble of this machine is no word about a release: the next run tries it again.
    counts.left_out += 1;
    tell(`left out: ${error}`);
  }
}

for (const [index, release] of left.entries()) await tryAndTell(release, `${index + 1}/${left.length}`);
await market.stop();
console.log(JSON.stringify(counts));
process.exit(counts.fails + counts.left_out === 0 ? 0 : 1);
