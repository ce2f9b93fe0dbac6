import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

/**
 * Prints name, version, licence and licence texts of every package that the binary may contain: all packages of
 * package-lock.json except test tools.
 */
interface Entry {
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly link?: boolean;
}

const root = resolve(import.meta.dir, "../..");
const TEXT = /^(licen[cs]e|copying|notice)([.-].*)?$/i;

/** @throws Error when the lock file cannot be read. */
export function listLicences(folder: string): readonly { readonly title: string; readonly texts: readonly string[] }[] {
  const { packages } = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8")) as {
    packages: Record<string, Entry>;
  };
  return Object.entries(packages)
    .filter(([path, { dev, link }]) => path !== "" && dev !== true && link !== true && existsSync(join(folder, path)))
    .map(([path, { version = "", license = "see below" }]) => ({
      title: `${path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length)} ${version} (${license})`,
      texts: readdirSync(join(folder, path))
        .filter((name) => TEXT.test(name))
        .map((name) => readFileSync(join(folder, path, name), "utf8").trim()),
    }));
}

if (import.meta.main) {
  for (const { title, texts } of listLicences(root)) {
    const body =
      texts.length > 0 ? texts.join("\n\n") : "(its package holds no licence text; the licence is named above)";
    process.stdout.write(`${"=".repeat(80)}\n${title}\n${"=".repeat(80)}\n\n${body}\n\n`);
  }
}
