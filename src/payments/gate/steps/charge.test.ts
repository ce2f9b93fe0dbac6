import { expect, test } from "bun:test";
import { createRandom } from "../../../../test/helpers/json-edits.ts";
import { TEST_SEED } from "../../../../test/helpers/seed.ts";
import { chargeStep } from "./charge.ts";

const PAYMENT = { payload: {}, fee_payer: null };
type Context = Parameters<typeof chargeStep.run>[1];

/** What the step takes of a payment over `signed`, of a product with these terms. */
function chargeOf({ scheme, signed, metering, counted }: Record<string, unknown>) {
  const context = {
    call: { product: { metering } },
    payment: { ...PAYMENT, requirement: { scheme, amount: `${signed}` } },
    produced: { body: "{}", counted },
  };
  return chargeStep.run({} as never, context as unknown as Context) as Exclude<
    Awaited<ReturnType<typeof chargeStep.run>>,
    { readonly answer: unknown }
  >;
}

test(`the charge is the published formula for 10,000 counts, never above what was signed (seed ${TEST_SEED})`, () => {
  const draw = createRandom(TEST_SEED);
  const random = (below: number): number => Math.floor(draw() * below);
  for (let n = 0; n < 10_000; n += 1) {
    const floor = BigInt(1 + random(5_000));
    const ceiling = floor + BigInt(random(50_000));
    const rates = { in_per_1k: BigInt(random(2_000)), out_per_1k: BigInt(random(8_000)) };
    const terms = { by: "tokens", floor, ceiling, ...rates, models: new Map(), peer_pct: 10n };
    const models = Array.from({ length: 1 + random(3) }, (_, i) => ({
      model: `m${i}`,
      in: random(100_000),
      out: random(20_000),
    }));
    const counted = { by: "tokens", models, is_estimated: random(20) === 0 };
    const { metered, taking } = chargeOf({ scheme: "upto", signed: ceiling, metering: terms, counted });

    let thousandfold = 0n;
    for (const one of models) thousandfold += BigInt(one.in) * rates.in_per_1k + BigInt(one.out) * rates.out_per_1k;
    const counts = counted.is_estimated ? 0n : thousandfold / 1_000n;
    const formula = counts < floor ? floor : counts > ceiling ? ceiling : counts;
    expect(metered?.charge).toBe(formula);
    expect(taking.requirement.amount).toBe(`${formula}`);
    expect(taking.signed_for?.amount).toBe(`${ceiling}`);
  }
});

test("who signed for the price pays it, whatever was counted", () => {
  const metering = { by: "peer_price", floor: 1n, ceiling: 100n, models: new Map(), peer_pct: 10n };
  const { metered, taking } = chargeOf({
    scheme: "exact",
    signed: 100n,
    metering,
    counted: { by: "peer_price", peer_price: 10n },
  });
  expect(metered).toBeNull();
  expect(taking.requirement.amount).toBe("100");
});

test("nothing is charged beyond what was signed: that would be a mistake of ours", () => {
  const metering = { by: "peer_price", floor: 1n, ceiling: 100n, models: new Map(), peer_pct: 10n };
  const counted = { by: "peer_price", peer_price: 10_000n };
  expect(() => chargeOf({ scheme: "upto", signed: 99n, metering, counted })).toThrow("no more is charged");
});
