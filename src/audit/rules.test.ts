import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { RULES, SELF_RULES } from "./rules.ts";
import { STRANGER_RULES } from "./stranger/judge.ts";

const ROOT = join(import.meta.dir, "..", "..");
/** Where the rules of a scope are listed. */
const DOCUMENTS = {
  self: "docs/operator/catalogs.md",
  stranger: "src/plugins/trust-desk/x402-audit/README.md",
} as const;
const readCells = (row: string): readonly string[] => row.split("|").map((cell) => cell.replaceAll("`", "").trim());

describe("the table of rules", () => {
  test("names every rule once", () => {
    expect(RULES).toHaveLength(SELF_RULES.length + STRANGER_RULES.length);
    const ids = RULES.map(({ id }) => id);
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  });

  test.each(RULES.map((rule) => [rule.id, rule] as const))(
    "%s has a scope, and is listed in its manual",
    (id, rule) => {
      const rows = readFileSync(join(ROOT, DOCUMENTS[rule.scope]), "utf8").split("\n").map(readCells);
      expect(rows.filter((cells) => cells[1] === id)).toEqual([expect.arrayContaining([rule.title])]);
    },
  );
});
