import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { noteSkipped } from "../helpers/debian-package.ts";
import { cleanUp, newFolder } from "../helpers/demo-node.ts";

const ROOT = join(import.meta.dir, "../..");
// Its packages are some hundred megabytes to delete.
afterAll(cleanUp);

/** Installs the packages that only a build needs, so a tool of the tests that the build leans on is found out. */
test("a fresh clone runs the demo with what ./build.sh demo installs, and its sources stay as they are", async () => {
  if (!process.env.TEST_FULL) return noteSkipped("the demo of a fresh clone", "it runs with full counts");
  const folder = join(newFolder(), "clone");
  const clone = Bun.spawnSync(["git", "clone", "-q", ROOT, folder]);
  if (clone.exitCode !== 0) return noteSkipped("the demo of a fresh clone", "this folder is no clone itself");
  const demo = Bun.spawn([join(folder, "build.sh"), "demo"], {
    cwd: folder,
    env: { ...process.env, BUN: "" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [said, log] = await Promise.all([new Response(demo.stdout).text(), new Response(demo.stderr).text()]);
  expect(await demo.exited, log.slice(-2_000)).toBe(0);
  expect(said).toContain("Every step was checked and held.");
  const status = Bun.spawnSync(["git", "status", "--porcelain"], { cwd: folder });
  return expect(status.stdout.toString()).toBe("");
});
