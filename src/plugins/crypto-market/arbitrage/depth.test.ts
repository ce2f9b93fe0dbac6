import { describe, expect, test } from "bun:test";
import { fc } from "../../../../test/helpers/properties.ts";
import type { BookLevel } from "../../../upstream/providers/order-book.ts";
import { sellIntoBids, spendOnAsks } from "./depth.ts";

type Row = readonly [price: number, quantity: number];
const levels = (rows: readonly Row[]): BookLevel[] => rows.map(([price, quantity]) => ({ price, quantity }));

const A_ASKS: readonly Row[] = [
  [64_000, 0.05],
  [64_010, 0.1],
  [64_030, 0.5],
];
const B_BIDS: readonly Row[] = [
  [64_120, 0.06],
  [64_100, 0.08],
  [64_060, 1],
];

describe("walking a book", () => {
  test("gives the published vector", () => {
    const bought = spendOnAsks(levels(A_ASKS), 10_000);
    expect(bought?.quantity).toBeCloseTo(0.15623145, 8);
    expect(bought?.vwap).toBeCloseTo(64_007.597341, 6);
    expect(sellIntoBids(levels(B_BIDS), bought?.quantity ?? 0)?.vwap).toBeCloseTo(64_103.525166, 6);
  });

  test("a book that holds exactly the size is enough, one that holds less is not", () => {
    const asks = levels([
      [100, 1],
      [200, 1],
    ]);
    expect(spendOnAsks(asks, 300)).toEqual({ quantity: 2, vwap: 150 });
    expect(spendOnAsks(asks, 300.01)).toBeNull();
    const bids = levels([
      [200, 1],
      [100, 1],
    ]);
    expect(sellIntoBids(bids, 2)).toEqual({ quantity: 2, vwap: 150 });
    expect(sellIntoBids(bids, 2.0001)).toBeNull();
    expect(spendOnAsks([], 1)).toBeNull();
  });

  /** The same by cumulated worth and quantity, and the last level by interpolation. */
  function spendByCurve(asks: readonly BookLevel[], notional: number): number | null {
    const worth = [0];
    const held = [0];
    for (const { price, quantity } of asks) {
      worth.push((worth.at(-1) ?? 0) + price * quantity);
      held.push((held.at(-1) ?? 0) + quantity);
    }
    const end = worth.findIndex((one) => one >= notional);
    if (end < 1) return null;
    const [w0 = 0, w1 = 0, h0 = 0, h1 = 0] = [worth[end - 1], worth[end], held[end - 1], held[end]];
    return h0 + ((notional - w0) / (w1 - w0)) * (h1 - h0);
  }

  const book = fc
    .array(fc.tuple(fc.double({ min: 1, max: 100, noNaN: true }), fc.double({ min: 0.01, max: 10, noNaN: true })), {
      minLength: 1,
      maxLength: 20,
    })
    .map((rows) => levels(rows.toSorted(([a], [b]) => a - b)));

  test("agrees with the same calculation from cumulated curves", () => {
    fc.assert(
      fc.property(book, fc.double({ min: 0.01, max: 1, noNaN: true }), (asks, share) => {
        const notional = share * 0.999 * asks.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
        const fill = spendOnAsks(asks, notional);
        const quantity = spendByCurve(asks, notional);
        if (!fill || quantity === null) throw new Error("the book holds it");
        expect(fill.quantity / quantity).toBeCloseTo(1, 9);
        // The bids of a mirrored book give the same money back for the same quantity.
        const bids = asks.toReversed().map((level) => ({ ...level, price: 1_000 - level.price }));
        const mirrored = sellIntoBids(bids.toReversed(), fill.quantity);
        expect(mirrored?.vwap).toBeCloseTo(1_000 - fill.vwap, 6);
      }),
    );
  });

  test("a larger size never gets a better price", () => {
    fc.assert(
      fc.property(book, fc.double({ min: 0.01, max: 0.5, noNaN: true }), (asks, share) => {
        const all = asks.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
        const [small, large] = [spendOnAsks(asks, all * share), spendOnAsks(asks, all * share * 1.9)];
        return small !== null && large !== null && large.vwap >= small.vwap * (1 - 1e-12);
      }),
    );
  });
});
