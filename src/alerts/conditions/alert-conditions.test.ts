import { expect, test } from "bun:test";
import { findRefusedDatasets } from "./alert-conditions.ts";
import { findProducts } from "./source-conditions.ts";

const NOW_MS = Date.UTC(2026, 0, 1);
const HALF_AN_HOUR_MS = 1_800_000;

const conditionsOf = (failing: Record<string, number>) => {
  const products = [
    { id: "fear-greed", providers: [{ id: "alternative_me" }] },
    { id: "agent-call", providers: [] },
  ];
  const core = {
    catalog: { products },
    clock: { now: () => NOW_MS },
    failing_since: new Map(Object.entries(failing)),
  } as unknown as Parameters<typeof findProducts>[0]["core"];
  const states = { read: () => ({ unavailable: [] }) } as unknown as Parameters<typeof findProducts>[0]["states"];
  return findProducts({ core, states }).map(({ id, subjects }) => [id, subjects]);
};

test("a product is reported when every run has failed for ten minutes", () => {
  expect(conditionsOf({ "fear-greed": NOW_MS - HALF_AN_HOUR_MS })).toEqual([["product", ["fear-greed"]]]);
  expect(conditionsOf({ "fear-greed": NOW_MS - 1_000 })).toEqual([]);
});

test("one that asks nobody but the address a buyer names is no fault of this node", () => {
  expect(conditionsOf({ "agent-call": NOW_MS - HALF_AN_HOUR_MS })).toEqual([]);
});

test("a bulk file that was cut off is reported, with its fault", () => {
  const why = 'dataset "trust-desk/eu": 790 rows where at least 800 are due; the last version had 1000';
  const [condition] = findRefusedDatasets({ core: { refused_datasets: new Map([["trust-desk/eu", why]]) } });
  expect(condition).toMatchObject({ id: "dataset:trust-desk/eu", severity: "warning", for_ms: 0 });
  expect(condition?.text).toContain("790 rows where at least 800 are due");
  expect(findRefusedDatasets({ core: { refused_datasets: new Map([["trust-desk/eu", null]]) } })).toEqual([]);
});
