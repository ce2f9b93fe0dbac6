import { expect, test } from "bun:test";
import { join } from "node:path";
import { ENGINES } from "../helpers/open-books.ts";

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

test.each(ENGINES.slice(1))(
  "the books keep their promises in a %s",
  async (engine) => {
    const suites = await listSuites();
    expect(suites.length).toBeGreaterThan(9);
    const env = { ...process.env, TEST_LEDGER_ENGINE: engine };
    const paths = suites.map((file) => `./${file}`);
    const child = Bun.spawn([process.execPath, "test", ...paths, "--timeout", "120000"], {
      cwd: ROOT,
      env,
      stdio: ["ignore", "ignore", "pipe"],
    });
    const text = await new Response(child.stderr).text();
    const failed = text.split("\n").filter((line) => /^\(fail\)|^ *error:/.test(line));
    expect(failed).toEqual([]);
    expect(await child.exited).toBe(0);
    expect(Number(/(\d+) pass/.exec(text)?.[1] ?? 0)).toBeGreaterThan(60);
  },
  600_000,
);
