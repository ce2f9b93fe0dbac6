import { afterEach, expect, mock, spyOn, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { AccessCall } from "../../src/calls/access.ts";
import { NodeError } from "../../src/core/errors.ts";
import { ALL_GATE_STEPS } from "../../src/payments/gate/gate-steps.ts";
import { type AnyStep, inOrder } from "../../src/payments/gate/step.ts";
import { joinStep } from "../../src/payments/gate/steps/join.ts";
import { readStep } from "../../src/payments/gate/steps/read.ts";
import { signatureStep } from "../../src/payments/gate/steps/signature.ts";
import { createGateBench, signPayment, v2Header } from "../helpers/gate-bench.ts";
import { refusalOf } from "../helpers/refusal.ts";

const ROOT = join(import.meta.dir, "..", "..");
const IDS = ALL_GATE_STEPS.map(({ id }) => id);

afterEach(() => mock.restore());

/** Tells of every step when it is taken, and takes it, unless `instead` does. */
function watchSteps(instead: (id: string) => void = () => undefined): string[] {
  const taken: string[] = [];
  const watch = (step: AnyStep) => {
    const method = "run" in step ? "run" : "around";
    const steps = step as unknown as Record<string, (...given: unknown[]) => unknown>;
    const real = steps[method] ?? expect.unreachable();
    spyOn(steps, method).mockImplementation((...given) => {
      taken.push(step.id);
      instead(step.id);
      return real(...given);
    });
  };
  ALL_GATE_STEPS.forEach(watch);
  return taken;
}

const payOnce = async () => {
  const bench = createGateBench();
  return { bench, headers: v2Header(await signPayment({ account: bench.newPayer() })) };
};

test("a payment is taken through all steps in the order of the list, each once", async () => {
  const { bench, headers } = await payOnce();
  const taken = watchSteps();
  await bench.buy(headers);
  expect(taken).toEqual(IDS);
});

test("the money is taken after the answer is made and kept, and recorded at once", () => {
  const after = (earlier: string, later: string) => expect(IDS.indexOf(earlier)).toBeLessThan(IDS.indexOf(later));
  after("take-in", "verify");
  after("verify", "produce");
  after("earlier", "produce");
  after("produce", "keep");
  after("keep", "settle");
  expect(IDS.slice(-2)).toEqual(["settle", "record"]);
});

test("a payment that is known, or worked on, is taken no further than where that is seen", async () => {
  const { bench, headers } = await payOnce();
  await bench.buy(headers);
  const again = watchSteps();
  await bench.buy(headers);
  expect(again).toEqual(["read", "join", "recall"]);
});

test.each(IDS)("a call that ends at step %s reaches none behind it, and leaves nothing in flight", async (id) => {
  const { bench, headers } = await payOnce();
  const taken = watchSteps((at) => {
    if (at === id) throw new NodeError("overloaded", "ended by the test");
  });
  expect(await refusalOf(bench.buy(headers))).toMatchObject({ code: "overloaded" });
  expect(taken).toEqual(IDS.slice(0, IDS.indexOf(id) + 1));
  await bench.access.flights.idle();
  expect(bench.access.flights.size).toBe(0);
  expect(bench.calls.settle).toBe(id === "record" ? 1 : 0);
});

test("a list in which a step needs what none before it tells does not compile", () => {
  const list = inOrder<AccessCall>();
  expect(list(readStep, joinStep).map(({ id }) => id)).toEqual(["read", "join"]);
  // @ts-expect-error: a payment that was not read cannot be joined
  list(joinStep);
  // @ts-expect-error: nothing has begun the flight
  list(readStep, joinStep, signatureStep);
});

test("each step has a file of its own, and each file its step", () => {
  const files = readdirSync(join(ROOT, "src/payments/gate/steps")).filter((name) => !name.endsWith(".test.ts"));
  expect(files.toSorted()).toEqual(IDS.map((id) => `${id}.ts`).toSorted());
});

test("the table of docs/architecture.md has the same steps in the same order, with the same words", () => {
  const text = readFileSync(join(ROOT, "docs/architecture.md"), "utf8");
  const rows = [...text.matchAll(/^\| (\d+) \| (.*) \| `payments\/gate\/steps\/(.+)\.ts` \| (.*) \|$/gm)];
  const told = rows.map(([, number, does, id, ends]) => ({ number: Number(number), does, id, ends }));
  expect(told).toEqual(ALL_GATE_STEPS.map(({ id, does, ends }, index) => ({ number: index + 1, id, does, ends })));
});
