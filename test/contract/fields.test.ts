import { describe, expect, test } from "bun:test";
import { registry } from "../../src/plugins/registry.gen.ts";
import { findUnitOfName, findUnitOfWords, listAnswerFields, UNSTATED } from "../../src/tools/field-dictionary.ts";
import { FIELD_EXCEPTIONS } from "../../src/tools/field-exceptions.ts";

/** One name, one unit, one meaning: what an agent learnt of one product's answers holds for all. */
const FIELDS = listAnswerFields(registry);

/** The units in which a name is stated, with where. */
const listUnits = (name: string): ReadonlyMap<string, readonly string[]> =>
  new Map(
    [...Map.groupBy(FIELDS, (field) => field.unit)].flatMap(([unit, fields]) => {
      const places = fields.filter((field) => field.name === name).map(({ product, path }) => `${product} ${path}`);
      return unit === UNSTATED || places.length === 0 ? [] : [[unit, places]];
    }),
  );
const NAMES = [...new Set(FIELDS.map(({ name }) => name))].sort();

describe("the numbers and times of all answers", () => {
  test("are many, and found below lists, objects and what may be null", () => {
    expect(FIELDS.length).toBeGreaterThan(1_500);
    const paths = FIELDS.filter(({ product }) => product === "/launch-risk").map(({ path }) => path);
    expect(paths).toContain("items[].factors[].points");
    expect(paths).toContain("coverage.blocks_scanned");
  });

  test("have one unit for one name, but for the exceptions that are stated", () => {
    const clashes = NAMES.filter((name) => !Object.hasOwn(FIELD_EXCEPTIONS, name))
      .map((name) => [name, listUnits(name)] as const)
      .filter(([, units]) => units.size > 1)
      .map(([name, units]) => [name, Object.fromEntries(units)]);
    expect(clashes).toEqual([]);
  });

  test("have no exception that nothing needs any more", () => {
    const needless = Object.keys(FIELD_EXCEPTIONS).filter((name) => listUnits(name).size < 2);
    expect(needless).toEqual([]);
  });

  test("are described in the unit that their name ends in", () => {
    const contrary = FIELDS.flatMap(({ product, path, name, description }) => {
      const [by_name, by_words] = [findUnitOfName(name), findUnitOfWords(description)];
      const is_contrary = by_name !== undefined && by_words !== undefined && !by_words.startsWith(by_name);
      return is_contrary ? [`${product} ${path} is in ${by_name} by its name, in ${by_words} by its words`] : [];
    });
    expect(contrary).toEqual([]);
  });
});

describe("the unit of a field", () => {
  test("is that of the longest end of its name", () => {
    expect(["tip_pct", "age_s", "hashrate_eh_s", "latency_ms", "price_atomic"].map(findUnitOfName)).toEqual([
      ...["percent", "seconds", "exahashes per second", "milliseconds", "smallest unit of the asset"],
    ]);
    expect(["fee_min", "score", "bids"].map(findUnitOfName)).toEqual([undefined, undefined, undefined]);
  });

  test("is else that of its first words", () => {
    expect(findUnitOfWords("Mean move, percent (log return x 100).")).toBe("percent");
    expect(findUnitOfWords("Close before it, US dollars; null when unknown.")).toBe("US dollars");
    expect(findUnitOfWords("Purchase that moves the price; at most 2 percent.")).toBeUndefined();
    expect(findUnitOfWords("Rows of pools of 10,000 US dollars and more.")).toBeUndefined();
  });
});
