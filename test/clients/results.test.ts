import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { FAMILIES } from "./families.ts";
import { RESULTS, readResults, renderResults } from "./results.ts";
import { readTable, renderTable } from "./table.ts";

/** What the last run against the registry found, as it is committed. */
const tried = readResults();
const CALLS = /^(?:plain|query|body|tool|tool_arguments|chat|chat_stream)$/;

test("every line is one release of a package that is tried, with what came of it", () => {
  expect(tried.length).toBeGreaterThan(0);
  const names = FAMILIES.map((family) => family.package);
  for (const one of tried) {
    expect(names).toContain(one.package);
    expect(one).toEqual({
      package: one.package,
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      published: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      beside: one.beside.map(() => expect.stringMatching(/^@?[\w/.-]+@(?:\d+\.\d+\.\d+\S*|none)$/)),
      outcome: expect.stringMatching(/^(?:works|fails|unusable)$/),
      error: one.outcome === "works" ? null : expect.stringMatching(/^.{5,200}$/),
      bought: one.bought.map(() => expect.stringMatching(CALLS)),
    });
    if (one.outcome === "works") expect(one.bought.length, `${one.package}@${one.version}`).toBeGreaterThan(1);
    if (one.outcome === "unusable") expect(one.bought).toEqual([]);
  }
  expect(new Set(tried.map((one) => `${one.package}@${one.version}`)).size).toBe(tried.length);
});

test("the file is as the run writes it, and the table of the document is made from it", async () => {
  expect(await Bun.file(RESULTS).text()).toBe(renderResults(tried));
  expect(readTable()).toBe(renderTable(tried));
});

test("every package has a driver", () => {
  for (const { driver } of FAMILIES) expect(existsSync(join(import.meta.dir, "drivers", `${driver}.mjs`))).toBe(true);
});
