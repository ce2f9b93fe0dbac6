import { expect, test } from "bun:test";
import { createStillClock } from "../../test/helpers/still-clock.ts";
import { NodeError } from "../core/errors.ts";
import { createWorkBudget, type WorkFor, weighWork } from "./work-budget.ts";

const WEIGHTS = { ms_per_unit: 1_000, atomic_per_unit: 50_000n };
const FREE = { price_atomic: 0n, answers: 1 };
const NO_TIME = { ...FREE, took_ms: 0 };
const nothing = () => Promise.reject(new NodeError("subject_not_found", "of a test"));

function createWorld(per_minute = 10) {
  const clock = createStillClock();
  const budget = createWorkBudget({ clock, per_minute, ...WEIGHTS, elapsed_ms: () => 0 });
  /** How many calls that bring nothing are worked off before one is refused, of so many. */
  const countWorked = async (by: (n: number) => WorkFor, tries: number): Promise<number> => {
    let worked = 0;
    for (let n = 0; n < tries; n += 1) {
      const error = await budget.run(by(n), FREE, nothing).catch((thrown: NodeError) => thrown);
      if (error.code === "subject_not_found") worked += 1;
      else expect(error).toMatchObject({ code: "rate_limited", options: { retry_after_s: expect.any(Number) } });
    }
    return worked;
  };
  return { clock, budget, countWorked };
}
const of = (holder: string, network = "192.0.2.1"): WorkFor => ({ holder, network, target: null });

test("a unit for each answer, one more for each second, one more for each 5 cents", () => {
  expect(weighWork({ took_ms: 2_500, price_atomic: 250_000n, answers: 1 }, WEIGHTS)).toBe(8.5);
  expect(weighWork({ took_ms: 0, price_atomic: 50_000n, answers: 20 }, WEIGHTS)).toBe(21);
});

test("a holder of uncharged calls is refused from the tenth on, and may continue as time passes", async () => {
  const { clock, countWorked, budget } = createWorld();
  expect(await countWorked(() => of("payer"), 400)).toBe(10);
  clock.advance(6_000);
  expect(await countWorked(() => of("payer"), 5)).toBe(1);
  expect(budget.totals()).toMatchObject({ spent: 11, refused: { holder: 394, target: 0, network: 0, strangers: 0 } });
});

test("a network with many wallets is refused, and others are not", async () => {
  const { countWorked } = createWorld();
  expect(await countWorked((n) => of(`payer ${n}`), 100)).toBe(40);
  expect(await countWorked(() => of("honest", "192.0.2.2"), 1)).toBe(1);
});

test("a network with many wallets is refused at one host of its choice, and not at another", async () => {
  const { countWorked } = createWorld();
  const at = (target: string) => (n: number) => ({ ...of(`payer ${n}`), target });
  expect(await countWorked(at("silent.example"), 100)).toBe(10);
  expect(await countWorked(at("other.example"), 1)).toBe(1);
  expect(await countWorked((n) => ({ ...of(`other ${n}`, "192.0.2.2"), target: "silent.example" }), 1)).toBe(1);
});

test("all strangers together are refused at last; who ever bought is not", async () => {
  const { budget, countWorked } = createWorld();
  budget.notePaid(of("honest"));
  expect(await countWorked((n) => of(`payer ${n}`, `198.51.${n >> 8}.${n & 255}`), 1_000)).toBe(400);
  expect(() => budget.assertLeft(of("new", "203.0.113.1"))).toThrow("never bought");
  expect(await budget.run(of("honest"), FREE, async () => "answer")).toBe("answer");
});

test("a sale gives a unit back; a debt is at most a whole burst; addresses without limits have no debt", async () => {
  const { budget, clock } = createWorld();
  for (let n = 0; n < 10; n += 1) budget.spend(of("payer"), NO_TIME);
  expect(() => budget.assertLeft(of("payer"))).toThrow();
  budget.notePaid(of("payer"));
  budget.assertLeft(of("payer"));
  for (let n = 0; n < 100; n += 1) budget.spend(of("payer"), NO_TIME);
  clock.advance(66_000);
  budget.assertLeft(of("payer"));
  for (let n = 0; n < 100; n += 1) budget.spend({ holder: "own", network: null, target: null }, NO_TIME);
  budget.assertLeft({ holder: "own", network: null, target: null });
});

test("what the node's own limits refuse, and what a key cannot pay, is no work", async () => {
  const { budget } = createWorld();
  for (const code of ["overloaded", "shutting_down", "settlement_unknown", "insufficient_credits"] as const) {
    await budget.run(of("payer"), FREE, () => Promise.reject(new NodeError(code, "x"))).catch(() => undefined);
  }
  expect(budget.totals().spent).toBe(0);
});

test("what is free anyway is counted for its holder alone, however much there is of it", async () => {
  const { countWorked, budget } = createWorld();
  const free = (n: number): WorkFor => ({ ...of(`look back ${n}`), is_free: true });
  expect(await countWorked(() => free(0), 100)).toBe(10);
  // Neither its network nor all strangers together have less for calls that may be paid.
  for (let n = 1; n < 500; n += 1) budget.spend(free(n), NO_TIME);
  expect(await countWorked(() => of("payer"), 10)).toBe(10);
  expect(budget.totals().refused).toMatchObject({ network: 0, strangers: 0 });
});
