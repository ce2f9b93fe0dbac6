import { describe, expect, test } from "bun:test";
import { fc } from "../../test/helpers/properties.ts";
import { parseUSD, renderUSD } from "../core/money.ts";
import type { CatalogProduct } from "./catalog.ts";
import type { Plan } from "./plan.ts";

import { type PlannedCalls, priceCalls } from "./quote.ts";

const product = (price_atomic: bigint, plan?: Partial<Plan>): CatalogProduct =>
  ({ id: "x", path: "/x", price_atomic, definition: plan ? { plan } : {} }) as unknown as CatalogProduct;
const balance = (price: bigint, credit: bigint, duration: string | null = null) =>
  product(price, { name: "b", credit_usd: renderUSD(credit), duration, pass: false });
const pass = (price: bigint, duration: string | null) =>
  product(price, { name: "p", credit_usd: null, duration, pass: true });
const calls = (price: bigint, count: bigint): PlannedCalls => ({ product: product(price), count });

const CREDITS = balance(990_000n, 1_250_000n);
const DAY = pass(2_990_000n, "24h");
const WEEK = pass(9_990_000n, "7d");
const DAY_MS = 86_400_000;

describe("planned calls", () => {
  test("are cheapest one by one while they are few", () => {
    const { single, cheapest } = priceCalls([calls(10_000n, 3n)], [CREDITS, DAY], DAY_MS);
    expect(single).toBe(30_000n);
    expect(cheapest).toEqual({ kind: "single", total: 30_000n });
  });

  test("are paid by as many balances as they need, and the remainder is stated", () => {
    const { offers, cheapest } = priceCalls([calls(10_000n, 126n)], [CREDITS], null);
    expect(offers).toEqual([expect.objectContaining({ purchases: 2n, total: 1_980_000n, left: 1_240_000n })]);
    expect(cheapest).toMatchObject({ kind: "single", total: 1_260_000n });
    expect(priceCalls([calls(10_000n, 125n)], [CREDITS], null).cheapest).toMatchObject({
      kind: "credits",
      total: 990_000n,
      left: 0n,
    });
  });

  test("are paid by a pass that is bought until the period is over", () => {
    const quote = priceCalls([calls(10_000n, 10_000n)], [DAY, WEEK], 3 * DAY_MS + 1);
    expect(quote.offers.map(({ purchases }) => purchases)).toEqual([4n, 1n]);
    expect(quote.cheapest).toMatchObject({ kind: "pass", purchases: 1n, total: 9_990_000n });
    expect(priceCalls([calls(10_000n, 10_000n)], [DAY, WEEK], DAY_MS).cheapest).toMatchObject({ total: 2_990_000n });
  });

  test("keep a balance alive that ends before the period does", () => {
    const monthly = balance(9_990_000n, 15_000_000n, "30d");
    const { offers } = priceCalls([calls(10_000n, 1n)], [monthly], 61 * DAY_MS);
    expect(offers[0]).toMatchObject({ purchases: 3n, left: 44_990_000n });
  });

  test("of plans themselves are never paid by key", () => {
    const bought = { product: DAY, count: 2n };
    expect(priceCalls([bought], [CREDITS, WEEK], null)).toMatchObject({ offers: [], without_key: 5_980_000n });
    const mixed = priceCalls([bought, calls(10_000n, 1n)], [CREDITS], null);
    expect(mixed.offers[0]).toMatchObject({ purchases: 1n, total: 6_970_000n, left: 1_240_000n });
  });

  test("that cost the same either way are paid one by one", () => {
    expect(priceCalls([calls(990_000n, 1n)], [CREDITS], null).cheapest.kind).toBe("single");
  });
});

const line = fc.record({ price: fc.bigInt(1n, 99_990_000n), count: fc.bigInt(1n, 40n), is_plan: fc.boolean() });
const plan = fc.record({
  price: fc.bigInt(1n, 200_000_000n),
  credit: fc.bigInt(1n, 200_000_000n),
  days: fc.option(fc.integer({ min: 1, max: 40 })),
  is_pass: fc.boolean(),
});

/** Buys and calls one by one, day by day. */
function simulate(
  { price, credit, days, is_pass }: { price: bigint; credit: bigint; days: number | null; is_pass: boolean },
  by_key: bigint,
  period_days: number | null,
): bigint {
  let [paid, held, until, purchases] = [0n, 0n, 0, 0];
  const buy = () => {
    paid += price;
    held += credit;
    until += days ?? 1e9;
    purchases += 1;
  };
  buy();
  while (period_days !== null && until < period_days) buy();
  while (!is_pass && held < by_key && purchases < 100_000) buy();
  return paid;
}

test("a quote is what buying step by step comes to, and nothing is cheaper than the cheapest", () => {
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 1, maxLength: 8 }),
      fc.array(plan, { maxLength: 6 }),
      fc.option(fc.integer({ min: 1, max: 90 })),
      (lines, plans, period_days) => {
        const listed = lines.map(({ price, count, is_plan }) => ({
          product: product(price, is_plan ? { name: "q", credit_usd: "1", duration: null, pass: false } : undefined),
          count,
        }));
        const offered = plans.map(({ price, credit, days, is_pass }) => {
          const duration = days === null ? null : `${days}d`;
          return is_pass ? pass(price, duration) : balance(price, credit, duration);
        });
        const quote = priceCalls(listed, offered, period_days === null ? null : period_days * DAY_MS);
        let [single, by_key] = [0n, 0n];
        for (const { price, count, is_plan } of lines) {
          for (let made = 0n; made < count; made += 1n) {
            single += price;
            if (!is_plan) by_key += price;
          }
        }
        expect(quote.single).toBe(single);
        const totals = [single];
        for (const [index, one] of plans.entries()) {
          const offer = quote.offers.find(({ product: found }) => found === offered[index]);
          if (by_key === 0n) expect(offer).toBeUndefined();
          else if (single / one.credit < 50_000n || one.is_pass) {
            const total = simulate(one, by_key, period_days) + single - by_key;
            totals.push(total);
            expect(offer?.total).toBe(total);
            if (!one.is_pass) expect(offer?.left).toBe((offer?.purchases ?? 0n) * one.credit - by_key);
          } else totals.push(offer?.total ?? single);
        }
        const least = totals.toSorted((a, b) => (a < b ? -1 : 1))[0];
        expect(quote.cheapest.total).toBe(least ?? -1n);
      },
    ),
    { numRuns: 500 },
  );
});

test("amounts stay exact above what a double can hold", () => {
  const { single } = priceCalls([calls(99_990_001n, 1_000_000_000n)], [], null);
  expect(single).toBe(99_990_001_000_000_000n);
  expect(parseUSD("99.990001")).toBe(99_990_001n);
});
