import { expect, test } from "bun:test";
import { join } from "node:path";
import { noteSkipped } from "../helpers/debian-package.ts";
import { HANG_MS } from "../helpers/hang-limit.ts";
import type { Engine } from "../helpers/open-books.ts";
import { startPostgres, whyNoPostgres } from "../helpers/postgres-server.ts";

/**
 * The suites of the books, once more for every engine but the one they run on by themselves: what one engine promises,
 * each does. A suite takes part by opening its books with `openBooks`.
 */
const ROOT = join(import.meta.dir, "..", "..");

async function listSuites(): Promise<readonly string[]> {
  const own = "test/ledger/engines.test.ts";
  const found = ["src", "test"].flatMap((top) => [...new Bun.Glob(`${top}/ledger/*.test.ts`).scanSync(ROOT)].sort());
  const files = found.filter((file) => file !== own);
  const texts = await Promise.all(files.map((file) => Bun.file(join(ROOT, file)).text()));
  return files.filter((_, n) => texts[n]?.includes("await openBooks("));
}

async function runSuites(engine: Engine, more: Readonly<Record<string, string>>): Promise<void> {
  const suites = await listSuites();
  expect(suites.length).toBeGreaterThan(9);
  const env = { ...process.env, TEST_LEDGER_ENGINE: engine, ...more };
  const paths = suites.map((file) => `./${file}`);
  const child = Bun.spawn([process.execPath, "test", ...paths, `--timeout=${HANG_MS}`], {
    cwd: ROOT,
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const text = await new Response(child.stderr).text();
  const failed = text.split("\n").filter((line) => /^\(fail\)|^ *error:/.test(line));
  expect(failed).toEqual([]);
  expect(await child.exited).toBe(0);
  expect(Number(/(\d+) pass/.exec(text)?.[1] ?? 0)).toBeGreaterThan(60);
}

test("the books keep their promises in a thread", () => runSuites("thread", {}));

test("the books keep their promises in a PostgreSQL database", async () => {
  const why = whyNoPostgres();
  if (why !== null) return noteSkipped("the books in PostgreSQL", why);
  const server = await startPostgres();
  try {
    await runSuites("postgres", { TEST_LEDGER_URL: server.url });
  } finally {
    await server.stop();
  }
});
