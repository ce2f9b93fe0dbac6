import { expect, test } from "bun:test";
import { isUnusable } from "intel-node";
import { createWorld } from "../../../../sandbox/world.ts";
import { VECTOR_DATE } from "../../curve/vector.ts";
import { readSettlementReport } from "./fetch-settlement-report.ts";
import { renderSettlementReport } from "./simulator.ts";

const xml = renderSettlementReport(
  createWorld("test", () => Date.UTC(2026, 0, 13)),
  VECTOR_DATE,
);

test("the simplified report says what is open and never how many were traded, in the sandbox as at B3", () => {
  expect(xml).not.toContain("FinInstrmQty");
  const judged = readSettlementReport(xml, { date: VECTOR_DATE });
  if (isUnusable(judged)) throw new Error(judged.why);
  expect(judged.settlements.length).toBeGreaterThan(60);
  expect(judged.settlements.every(({ contracts }) => contracts === null)).toBe(true);
  expect(judged.settlements.every(({ open_interest }) => (open_interest ?? 0) > 0)).toBe(true);
});
