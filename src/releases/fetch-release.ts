import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkMinisign, type ReleaseKey } from "./minisign.ts";
import { type ProgramRelease, type ReleaseArchive, readRelease, targetOf } from "./release-file.ts";

const TEXT_BYTES_MAX = 1_000_000;
const TIMEOUT_MS = 600_000;

/** @throws Error that names the address when it does not answer 200, or with more than it may. */
async function fetchBytes(url: string, bytes_max: number): Promise<Uint8Array> {
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: "follow" });
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > bytes_max) throw new Error(`${url} is longer than ${bytes_max} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The folder of a release: the newest, or that of a version. */
const folderOf = (url: string, version: string | undefined): string =>
  `${url.replace(/\/+$/, "")}/${version === undefined ? "latest" : `v${version}`}`;

/**
 * The signed description of a release.
 * @throws Error when it cannot be had, is not signed with the key, or is another version than was asked for.
 */
export async function fetchRelease(url: string, key: ReleaseKey, version?: string): Promise<ProgramRelease> {
  const file = `${folderOf(url, version)}/release.json`;
  const bytes = await fetchBytes(file, TEXT_BYTES_MAX);
  const signature = new TextDecoder().decode(await fetchBytes(`${file}.minisig`, TEXT_BYTES_MAX));
  checkMinisign(bytes, signature, key);
  const release = readRelease(JSON.parse(new TextDecoder().decode(bytes)));
  if (release === null) throw new Error(`${file} has another shape than this version reads`);
  if (version !== undefined && release.version !== version) {
    throw new Error(`${file} describes version ${release.version}, not ${version}`);
  }
  return release;
}

/** A text of the system's about itself; "" without one. */
const readFacts = (file: string): string => (existsSync(file) ? readFileSync(file, "utf8") : "");

/** Which archive is for the machine and the program that this is. */
export const getOwnTarget = (): string =>
  targetOf(process.platform, process.arch, { maps: readFacts("/proc/self/maps"), cpu: readFacts("/proc/cpuinfo") });

/** @throws Error when the release has nothing for this machine. */
export function findArchive({ archives, version }: ProgramRelease): ReleaseArchive {
  const target = getOwnTarget();
  const found = archives[target];
  if (!found) throw new Error(`release ${version} has nothing for ${target}`);
  return found;
}

/**
 * Fetches an archive, checks its digest and unpacks the program from it.
 * @param folder where it is unpacked; best on the disk the program is on.
 * @returns the path of the program.
 * @throws Error when its digest is another one, or it holds no program.
 */
export async function fetchProgram(url: string, release: ProgramRelease, folder: string): Promise<string> {
  const { file, bytes: size, sha256 } = findArchive(release);
  const bytes = await fetchBytes(`${folderOf(url, release.version)}/${file}`, size);
  const digest = createHash("sha256").update(bytes).digest("hex");
  if (digest !== sha256) throw new Error(`${file} has another digest than release.json says: ${digest}`);
  const archive = join(folder, file);
  writeFileSync(archive, bytes);
  const unpacked = Bun.spawnSync(["tar", "-xf", archive, "-C", folder, "--strip-components=1"], { stderr: "pipe" });
  if (unpacked.exitCode !== 0) throw new Error(`${file} cannot be unpacked: ${unpacked.stderr.toString().trim()}`);
  const program = join(folder, process.platform === "win32" ? "intel-node.exe" : "intel-node");
  if (!existsSync(program)) throw new Error(`${file} holds no intel-node`);
  return program;
}
