import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { RELEASE_DAYS_MIN, type Release } from "./releases.ts";

const ROOT = join(import.meta.dir, "..", "..");
const DRIVERS = join(import.meta.dir, "drivers");
const TMP = join(ROOT, ".tmp");
const TICK_MS = 1_000;
const INSTALL_TICKS = 1_800;
const DRIVE_TICKS = 1_200;
/** A mark in front of what a driver says, so that a client may print what it likes. */
const MARK = "@@ ";

/** What a driver says of one purchase, or of its release. */
export interface Said {
  readonly call?: string;
  readonly answer?: string;
  readonly error?: string;
  readonly unusable?: string;
  readonly done?: boolean;
}

/** What a driver is told. */
export interface Buyer {
  readonly url: string;
  readonly private_key: string;
  readonly api_key: string;
}

/**
 * Ends a program after so many ticks of this one. Ticks, not time: where the whole machine is held, nobody is late.
 */
async function run(command: readonly string[], options: { cwd: string; env: Record<string, string>; ticks: number }) {
  const child = Bun.spawn([...command], {
    cwd: options.cwd,
    env: { ...options.env, NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let left = options.ticks;
  const timer = setInterval(() => {
    left -= 1;
    if (left === 0) child.kill("SIGKILL");
  }, TICK_MS);
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  clearInterval(timer);
  return { out, err: left > 0 ? err : `not done within ${options.ticks} s\n${err}`, code };
}

/** The first line of what npm says is wrong that names a thing. */
const readTrouble = (err: string): string => {
  const lines = err.split("\n").map((line) => line.replace(/^(?:npm (?:error|ERR!)|error:) ?/, "").trim());
  const [code = "", ...more] = lines.filter((line) => line !== "" && !line.startsWith("npm warn"));
  return [code, more[0] ?? ""].join(" ").trim();
};

/** As the project's own packages: what is younger may still be withdrawn. */
const BUN_AGE = `--minimum-release-age=${RELEASE_DAYS_MIN * 86_400}`;
const NPM_AGE = `--min-release-age=${RELEASE_DAYS_MIN}`;

/** What installs. Bun takes a twentieth of npm's processor time; npm is asked where Bun's tree does not buy. */
export type Installer = "bun" | "npm";
const INSTALLERS: Readonly<Record<Installer, readonly string[]>> = {
  bun: [process.execPath, "add", "--ignore-scripts", "--linker=hoisted", "--no-progress", BUN_AGE],
  npm: ["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", NPM_AGE],
};
const CACHES = {
  ...(process.env as Record<string, string>),
  npm_config_cache: join(TMP, "npm-cache"),
  BUN_INSTALL_CACHE_DIR: join(TMP, "bun-cache"),
};

/** A folder with one release in it. */
export interface Scratch {
  /** Why it cannot be installed; null where it is. */
  readonly trouble: string | null;
  readonly beside: readonly string[];
  drive(buyer: Buyer): Promise<readonly Said[]>;
  remove(): void;
}

const readVersion = (folder: string, name: string): string | null => {
  const file = join(folder, "node_modules", name, "package.json");
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version : null;
};

/** Installs a release and what it needs beside it, without running a script of any of them. */
export async function createScratch(release: Release, installer: Installer): Promise<Scratch> {
  mkdirSync(TMP, { recursive: true });
  const folder = mkdtempSync(join(TMP, "client-"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "scratch", private: true, type: "module" }));
  const beside = release.family.beside(release.version).map((one) => one.replace(/=$/, release.version));
  const specs = [`${release.package}@${release.version}`, ...beside];
  const install = async (command: readonly string[]) =>
    run([...command, ...specs], { cwd: folder, env: CACHES, ticks: INSTALL_TICKS });
  let installed = await install(INSTALLERS[installer]);
  // Peers that contradict each other: as people do who want it all the same.
  if (/ERESOLVE/.test(installed.err)) installed = await install([...INSTALLERS.npm, "--legacy-peer-deps"]);
  for (const file of readdirSync(DRIVERS)) copyFileSync(join(DRIVERS, file), join(folder, file));
  copyFileSync(join(DRIVERS, `${release.family.driver}.mjs`), join(folder, "driver.mjs"));
  return {
    trouble: installed.code === 0 ? null : readTrouble(installed.err),
    beside: beside.map((one) => {
      const name = one.slice(0, one.lastIndexOf("@"));
      return `${name}@${readVersion(folder, name) ?? "none"}`;
    }),
    async drive(buyer) {
      const runtime = Bun.which("node") ?? process.execPath;
      // Nothing of this machine's environment is any business of what was just installed.
      const told = { PATH: process.env.PATH ?? "", HOME: folder, BUYER: JSON.stringify(buyer) };
      const ended = await run([runtime, "main.mjs"], { cwd: folder, env: told, ticks: DRIVE_TICKS });
      // Where it was installed is no part of what a release says.
      const [out, err] = [ended.out, ended.err].map((text) =>
        text.replaceAll(`file://${folder}/`, "").replaceAll(`${folder}/`, ""),
      ) as [string, string];
      const said = out
        .split("\n")
        .flatMap((line) => (line.startsWith(MARK) ? [JSON.parse(line.slice(3)) as Said] : []));
      return said.some(({ done, unusable }) => done || unusable) ? said : [...said, { error: readCrash(err) }];
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

const readCrash = (err: string): string =>
  err.split("\n").find((line) => /Error|error|not done/.test(line)) ?? err.split("\n")[0] ?? "ended without a word";
