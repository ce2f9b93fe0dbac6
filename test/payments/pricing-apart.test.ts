import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const FOLDER = join(import.meta.dir, "../../src/payments/pricing");

test("what is to be paid is known without any protocol: pricing imports the catalog, core and itself", () => {
  const files = readdirSync(FOLDER);
  const imported = files.flatMap((file) =>
    [...readFileSync(join(FOLDER, file), "utf8").matchAll(/ from "(.+)";$/gm)].map(([, from = ""]) => from),
  );
  expect(imported.length).toBeGreaterThan(0);
  expect(imported.filter((from) => !/^(\.\/|\.\.\/\.\.\/(core|catalog)\/)/.test(from))).toEqual([]);
});
