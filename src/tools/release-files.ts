/**
 * Writes the files of a release that accompany the program.
 *
 *   bun src/tools/release-files.ts DIR                      man page, completions, bill of materials, guide
 *   bun src/tools/release-files.ts release.json DIR         release.json of the archives in DIR
 */
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { listCommands } from "../commands/command-table.ts";
import { MIGRATIONS } from "../ledger/sqlite/migrate.ts";
import { VERSION } from "../releases/version.ts";
import { renderBash, renderFish, renderZsh } from "./render-completions.ts";
import { renderMan } from "./render-man.ts";
import { renderSBOM } from "./render-sbom.ts";

/** The folder's archives by target, in the formats that every system can unpack. */
function listArchives(folder: string) {
  const named = readdirSync(folder).flatMap((file) => {
    const target = /^intel-node-([a-z0-9-]+)\.tar\.gz$/.exec(file)?.[1];
    if (target === undefined) return [];
    const bytes = readFileSync(join(folder, file));
    return [[target, { file, bytes: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") }] as const];
  });
  return Object.fromEntries(named);
}

/** The text of release.json for a folder of archives. */
export const renderReleaseJSON = (folder: string): string => {
  const release = { version: VERSION, ledger_schema: MIGRATIONS.length, archives: listArchives(folder) };
  return `${JSON.stringify(release, null, 2)}\n`;
};

const ROOT = resolve(import.meta.dir, "../..");

/** Files that the documents name and link, besides program sources. A release has them at the same paths. */
const GUIDE = [
  ...["README.md", "CHANGELOG.md", "LICENSE", "config.example.toml", "docs"],
  ...["deploy/Dockerfile", "deploy/grafana", "deploy/packages", "deploy/prometheus/alerts.yml", "deploy/install.sh"],
] as const;

/** Writes the manual page, the completions, the bill of materials and, as "guide", the documents into a folder. */
export function writeFilesBeside(folder: string): void {
  const commands = listCommands();
  mkdirSync(folder, { recursive: true });
  for (const path of GUIDE) {
    const to = join(folder, "guide", path);
    mkdirSync(dirname(to), { recursive: true });
    cpSync(join(ROOT, path), to, { recursive: true });
  }
  for (const [name, text] of [
    ["intel-node.1", renderMan(commands, VERSION)],
    ["intel-node.bash", renderBash(commands)],
    ["_intel-node", renderZsh(commands)],
    ["intel-node.fish", renderFish(commands)],
    ["sbom.cdx.json", renderSBOM(ROOT)],
  ] as const) {
    writeFileSync(join(folder, name), text);
  }
}

if (import.meta.main) {
  const [first = "", second] = process.argv.slice(2);
  if (first === "release.json" && second !== undefined) {
    writeFileSync(join(second, "release.json"), renderReleaseJSON(second));
  } else writeFilesBeside(first);
}
