import { describe, expect, test } from "bun:test";
import { CHECK_RESULTS, CHECK_SEVERITIES, type CheckResult, type CheckSeverity } from "../rule.ts";
import { judgeChecks } from "./judge.ts";

type One = { readonly severity: CheckSeverity; readonly result: CheckResult };
const PASSED: readonly One[] = [
  ...Array.from({ length: 13 }, (): One => ({ severity: "critical", result: "pass" })),
  ...Array.from({ length: 10 }, (): One => ({ severity: "major", result: "pass" })),
  ...Array.from({ length: 10 }, (): One => ({ severity: "minor", result: "pass" })),
];
const isSevere = ({ severity, result }: One): boolean => severity === "critical" && result === "fail";
/** All passed but the named ones. */
const withResults = (...changed: readonly (readonly [CheckSeverity, CheckResult])[]): readonly One[] => {
  const rest = [...PASSED];
  for (const [severity, result] of changed) {
    rest[rest.findIndex((one) => one.severity === severity && one.result === "pass")] = { severity, result };
  }
  return rest;
};

describe("score and verdict", () => {
  test.each([
    [[], 100, "sound"],
    [
      [
        ["minor", "fail"],
        ["minor", "fail"],
      ],
      90,
      "sound",
    ],
    [
      [
        ["major", "fail"],
        ["minor", "unknown"],
      ],
      82.5,
      "acceptable",
    ],
    [
      [
        ["major", "fail"],
        ["major", "fail"],
      ],
      70,
      "caution",
    ],
    [[["critical", "fail"]], 20, "unsafe"],
    [[["critical", "unknown"]], 60, "caution"],
    [[["major", "unknown"]], 92.5, "acceptable"],
    [
      [
        ["major", "unknown"],
        ["major", "unknown"],
      ],
      85,
      "caution",
    ],
  ] as const)("%p gives %d, %s", (changed, score, verdict) => {
    expect(judgeChecks(withResults(...changed))).toEqual({ score, verdict });
  });

  test("never improve when a check, or a pair of checks, becomes unknown", () => {
    const order = ["unsafe", "caution", "acceptable", "sound"];
    const rank = (checks: readonly One[]): number => order.indexOf(judgeChecks(checks).verdict);
    const kinds = CHECK_SEVERITIES.flatMap((severity) => CHECK_RESULTS.map((result) => [severity, result] as const));
    const better: string[] = [];
    for (const first of kinds) {
      for (const second of kinds) {
        const checks = withResults(first, second);
        for (const [i, one] of checks.entries()) {
          for (const [j, other] of checks.entries()) {
            const less = checks.map(
              (check, at): One => (at === i || at === j ? { ...check, result: "unknown" } : check),
            );
            // A known critical failure that goes unseen is caution, never one of the best two.
            const may = [one, other].some(isSevere) ? 1 : rank(checks);
            if (rank(less) > Math.max(may, rank(checks))) better.push(`${first} ${second}, ${i} and ${j} unknown`);
          }
        }
      }
    }
    expect(better).toEqual([]);
  });
});
