import { describe, expect, test } from "bun:test";
import { InvariantError } from "../../../src/core/errors.ts";
import { obstacleOf } from "../../../src/ledger/decide/coupons.ts";
import { spreadOverLots } from "../../../src/ledger/decide/lots.ts";
import { RESULTS } from "../../../src/ledger/decide/results.ts";
import { BROKEN_CHANNELS, CHANNEL_ROWS } from "./channel-rows.ts";
import { CORRECTION_ROWS } from "./correction-rows.ts";
import { GRANT_ROWS } from "./grant-rows.ts";
import { BROKEN_PAYMENTS, PAYMENT_ROWS } from "./payment-rows.ts";
import type { Row } from "./row.ts";
import { SALE_REFUND_ROWS } from "./sale-refund-rows.ts";
import { BROKEN_SPENDING, SPENDING_ROWS } from "./spending-rows.ts";

/** Every movement of money, with all it can come to. */
const ROWS: readonly Row[] = [
  ...SPENDING_ROWS,
  ...SALE_REFUND_ROWS,
  ...GRANT_ROWS,
  ...PAYMENT_ROWS,
  ...CHANNEL_ROWS,
  ...CORRECTION_ROWS,
];
const BROKEN = [...BROKEN_SPENDING, ...BROKEN_PAYMENTS, ...BROKEN_CHANNELS];

const pairsOf = (rows: readonly Row[]) => [
  ...new Set(rows.map(({ movement, decided }) => `${movement}: ${decided.result}`)),
];

test("the table has a row for all that a movement of money can come to", () => {
  const all = Object.entries(RESULTS).flatMap(([movement, results]) =>
    results.map((result) => `${movement}: ${result}`),
  );
  expect(pairsOf(ROWS).sort()).toEqual(all.sort());
});

describe("decided", () => {
  test.each(ROWS.map((row) => [`${row.movement}: ${row.decided.result}: ${row.says}`, row] as const))(
    "%s",
    (_, row) => {
      expect(row.decide()).toEqual(row.decided);
      // Nothing is remembered: the same command in the same state comes to the same.
      expect(row.decide()).toEqual(row.decided);
    },
  );
});

describe("what is left of lots", () => {
  test.each([
    ["nothing was drawn", [40n, 60n], 100n, [40n, 60n]],
    ["the first is drawn on first", [40n, 60n], 70n, [10n, 60n]],
    ["just all of the first", [40n, 60n], 60n, [0n, 60n]],
    ["then the next", [40n, 60n], 50n, [0n, 50n]],
    ["what came back lives as long as the last", [40n, 60n], 120n, [40n, 80n]],
    ["there are none, whatever can be spent", [], 5n, []],
  ])("%s", (_, lefts, available, after) => {
    expect(spreadOverLots(lefts, available)).toEqual(after);
  });
});

test("a client is kept from any coupon when none of the smallest price is left", () => {
  expect(obstacleOf(100n, { client_has_one: false, spent: 99n })).toBeNull();
  expect(obstacleOf(100n, { client_has_one: false, spent: 100n })).toBe("budget_spent");
  expect(obstacleOf(100n, { client_has_one: true, spent: 100n })).toBe("client_used_one");
});

describe("stops the ledger instead", () => {
  test.each(BROKEN.map(({ says, decide }) => [says, decide] as const))("%s", (_, decide) => {
    expect(decide).toThrow(InvariantError);
  });
});
