import { type Static, Type } from "@sinclair/typebox";
import { compileSchema } from "../core/compile-schema.ts";

const Archive = Type.Object({
  file: Type.String({ pattern: "^[A-Za-z0-9._-]{1,200}$" }),
  bytes: Type.Integer({ minimum: 1, maximum: 1_000_000_000 }),
  sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }),
});

/** What release.json of a release says; its signature covers every archive by its digest. */
const Release = Type.Object({
  version: Type.String({ pattern: "^[0-9]{1,4}\\.[0-9]{1,4}\\.[0-9]{1,4}(-[0-9A-Za-z.-]{1,40})?$" }),
  /** Schema of the ledger it brings a data folder to: a program reads no newer one. */
  ledger_schema: Type.Integer({ minimum: 1, maximum: 10_000 }),
  /** By target, such as "linux-x64". */
  archives: Type.Record(Type.String({ pattern: "^[a-z0-9-]{1,40}$" }), Archive),
});

export type ProgramRelease = Static<typeof Release>;
export type ReleaseArchive = Static<typeof Archive>;

const release_check = compileSchema(Release);

/** A release.json, or null when it has another shape. */
export const readRelease = (value: unknown): ProgramRelease | null => (release_check.Check(value) ? value : null);

/** The parts of a version (semver.org, section 11), without what follows a hyphen. */
const partsOf = (version: string): readonly number[] => (version.split("-")[0] ?? "").split(".").map(Number);

/** Below 0 when the first version is the older one. One with a hyphen comes before the same without. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [partsOf(a), partsOf(b)];
  for (let index = 0; index < 3; index++) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  if (a.includes("-") !== b.includes("-")) return a.includes("-") ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** What Linux says about a program that runs and about the machine. */
export interface LinuxFacts {
  /** `/proc/self/maps`: which C library this program was started with; a machine may have both. */
  readonly maps: string;
  /** `/proc/cpuinfo`. */
  readonly cpu: string;
}

/** Which archive is for this machine. */
export function targetOf(platform: string, arch: string, { maps, cpu }: LinuxFacts): string {
  const name = `${platform === "win32" ? "windows" : platform}-${arch}`;
  if (platform !== "linux") return name;
  if (maps.includes("/ld-musl-")) return `${name}-musl`;
  // Without AVX2 the usual program ends with "illegal instruction".
  return arch === "x64" && cpu !== "" && !/\bavx2\b/.test(cpu) ? `${name}-baseline` : name;
}
