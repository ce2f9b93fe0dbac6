import { expect, test } from "bun:test";
import type { Judgement } from "../judge/judge.ts";
import { getRiskLevel } from "./compute.ts";

const CLEAN: Judgement = {
  verdict: "SIZE",
  basis: "clean",
  risk: 13.5,
  coverage: 1,
  rules_known: 1,
  factors: [],
  hard_fails: [],
  caps: [],
  unknown: [],
  conflicts: [],
  max_size_usd: 100,
};
const levelOf = (changes: Partial<Judgement>) => getRiskLevel({ ...CLEAN, ...changes });

test("a hard fail is critical whatever the points are; low needs everything known and nothing that caps", () => {
  expect(levelOf({})).toBe("low");
  expect(levelOf({ hard_fails: [{ id: "H2_freeze_authority", evidence: "", sources: [] }] })).toBe("critical");
  expect(levelOf({ risk: 60 })).toBe("high");
  expect(levelOf({ basis: "insufficient_evidence" })).toBe("high");
  expect(levelOf({ risk: 25.1 })).toBe("medium");
  expect(levelOf({ coverage: 0.89 })).toBe("medium");
  expect(levelOf({ basis: "capped" })).toBe("medium");
  expect(levelOf({ basis: "partial_evidence" })).toBe("medium");
});
