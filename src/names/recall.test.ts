import { expect, test } from "bun:test";
import { measureFalseAlarms, measureRecall, RECALL_RULES } from "../../test/helpers/name-recall.ts";
import { makeSyntheticNames } from "../../test/helpers/synthetic-names.ts";
import { createNameIndex } from "./name-index.ts";

/** The set's rules: test/helpers/synthetic-names.ts. `bun run bench:names` writes the table of the README. */
const names = makeSyntheticNames(20_000);
const index = createNameIndex(names.listed);

test.each(RECALL_RULES.map((rule) => [`${rule.rule}, ${rule.of}`, rule] as const))("%s", (_, rule) => {
  const { found, hits } = measureRecall(index, names, rule);
  expect(found).toBeGreaterThanOrEqual(rule.found_min);
  expect(hits).toBeGreaterThanOrEqual(rule.hits_min);
});

test("of 1,314 innocent names not one is a hit, and few are possible", () => {
  const alarms = measureFalseAlarms(index, names);
  expect(alarms).toMatchObject({ asked: 1_314, hits: 0 });
  expect(alarms.possible).toBeLessThanOrEqual(1_314 * 0.02);
});
