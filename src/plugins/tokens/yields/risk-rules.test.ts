import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findRisks, RISK_RULES, type RiskFigures } from "./risk-rules.ts";

/** Nothing is wrong with it, and everything is known. */
const CALM: RiskFigures = {
  is_paused: false,
  utilization_pct: 80,
  cap_used_pct: 50,
  share_drawdown_pct: 0,
  below_peg_pct: 0.1,
  base_apy_pct: 4,
  base_apy_7d_pct: 3.9,
  is_rate: true,
  reward_apr_pct: 1,
  reward_days: 30,
  locked_usd: 5_000_000,
};
/** By rule: figures just past its limit, and just short of it. */
const EDGES: Readonly<Record<string, readonly [said: Partial<RiskFigures>, silent: Partial<RiskFigures>]>> = {
  paused: [{ is_paused: true }, { is_paused: false }],
  utilization_high: [{ utilization_pct: 95 }, { utilization_pct: 94.99 }],
  cap_nearly_full: [{ cap_used_pct: 95 }, { cap_used_pct: 94.99 }],
  share_price_fell: [{ share_drawdown_pct: 0.05 }, { share_drawdown_pct: 0.0499 }],
  below_peg: [{ below_peg_pct: 1 }, { below_peg_pct: 0.99 }],
  mostly_rewards: [{ reward_apr_pct: 4 }, { reward_apr_pct: 3.99 }],
  rewards_end_soon: [{ reward_days: 7 }, { reward_days: 7.01 }],
  rate_jumped: [{ base_apy_pct: 7.8 }, { base_apy_pct: 7.79 }],
  small: [{ locked_usd: 1_000_000 }, { locked_usd: 1_000_001 }],
};

test("each rule says its word alone, at its limit and not before, with the figure that made it hold", () => {
  expect(findRisks(CALM)).toEqual([]);
  expect(Object.keys(EDGES)).toEqual(RISK_RULES.map(({ rule }) => rule));
  for (const { rule, limit } of RISK_RULES) {
    const [said, silent] = EDGES[rule] ?? [{}, {}];
    const [risk, ...others] = findRisks({ ...CALM, ...said });
    expect(others).toEqual([]);
    expect(risk).toMatchObject({ rule, limit });
    expect(risk?.value).toBeCloseTo(limit, 9);
    expect(findRisks({ ...CALM, ...silent })).toEqual([]);
  }
});

test("an unknown figure says nothing; a share's growth is not a jumping rate", () => {
  const known = Object.fromEntries(Object.values(EDGES).flatMap(([said]) => Object.entries(said)));
  const worst = { ...CALM, ...known, base_apy_pct: 7.8, reward_apr_pct: 8 };
  expect(findRisks(worst).length).toBe(RISK_RULES.length);
  const untold = Object.fromEntries(Object.keys(CALM).map((name) => [name, null]));
  expect(findRisks({ ...worst, ...untold, base_apy_pct: 7.8, is_rate: true })).toEqual([]);
  expect(findRisks({ ...worst, is_rate: false }).map(({ rule }) => rule)).not.toContain("rate_jumped");
});

test("the README's table is the rules", () => {
  const readme = readFileSync(join(import.meta.dir, "../defi-yield/README.md"), "utf8");
  for (const { rule, when, limit, says } of RISK_RULES) {
    const sign = when === "at_least" ? ">=" : "<=";
    const row = readme.split("\n").find((line) => line.startsWith(`| \`${rule}\``));
    expect(row?.split("|").map((cell) => cell.trim())).toEqual(["", `\`${rule}\``, `${sign} ${limit}`, says, ""]);
  }
});
