import { expect, test } from "bun:test";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ROOT } from "./helpers/source-files.ts";

const LEFT_OUT = new Set(["node_modules", "dist", ".git", ".tmp"]);
interface Lock {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly devOptional?: boolean }>>;
}

/** Packages at the top of node_modules that an installation without those of tests has too. */
function listBuildPackages(): readonly string[] {
  const { packages }: Lock = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8"));
  return Object.entries(packages).flatMap(([path, { dev, devOptional }]) =>
    /^node_modules\/(?:@[^/]+\/)?[^/]+$/.test(path) && !dev && !devOptional ? [path] : [],
  );
}

test("generated files are written with the packages of a build alone, as ./build.sh demo has them", () => {
  const folder = mkdtempSync(join(tmpdir(), "intel-node-build-"));
  try {
    for (const name of readdirSync(ROOT)) {
      if (!LEFT_OUT.has(name)) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
    }
    for (const path of listBuildPackages()) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      symlinkSync(join(ROOT, path), join(folder, path));
    }
    const { exitCode, stdout, stderr } = Bun.spawnSync([process.execPath, "src/tools/gen.ts"], {
      cwd: folder,
      stdout: "pipe",
      stderr: "pipe",
    });
    expect({ exitCode, said: `${stdout}${stderr}` }).toEqual({ exitCode: 0, said: "" });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
