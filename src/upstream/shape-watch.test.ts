import { expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { createStillClock } from "../../test/helpers/still-clock.ts";
import { readShape } from "./answer-shape.ts";
import { createShapeWatch } from "./shape-watch.ts";

const HOUR_MS = 3_600_000;
const schema = Type.Object({});

function start() {
  const clock = createStillClock();
  const urgent: boolean[] = [];
  const watch = createShapeWatch({
    clock,
    watched: new Map(),
    onLook: (is) => urgent.push(is),
    later: (do_it) => do_it(),
  });
  /** One answer an hour. */
  const see = (...values: readonly unknown[]): void => {
    for (const value of values) {
      clock.advance(HOUR_MS);
      watch.note({ provider: "kraken", path: "/0/public/Depth?pair=A", body: "", schema, value });
    }
  };
  const diff = () => watch.changes().map(({ gone, came, other }) => ({ gone, came, other }));
  return { clock, urgent, watch, see, diff };
}
const times = <T>(count: number, value: T): readonly T[] => Array.from({ length: count }, () => value);
const USUAL = { price: 1, rows: [{ id: 1, name: "a" }] };

test("a member of every answer that is missing from three in a row is a change, reported with new members", () => {
  const { see, diff, urgent } = start();
  see(...times(6, USUAL));
  const renamed = { price: 1, rows: [{ id: 1, title: "a" }] };
  see(renamed, renamed);
  expect(diff()).toEqual([]);
  see(renamed);
  expect(diff()).toEqual([{ gone: ["/rows/[]/name"], came: ["/rows/[]/title"], other: [] }]);
  expect(urgent.filter(Boolean)).toHaveLength(1);
  see(USUAL);
  expect(diff()).toEqual([]);
});

test("a new kind is a change after three in a row; null is not", () => {
  const { see, diff } = start();
  see(...times(6, USUAL), ...times(5, { ...USUAL, price: null }));
  expect(diff()).toEqual([]);
  see(...times(3, { ...USUAL, price: "1" }));
  expect(diff()).toEqual([{ gone: [], came: [], other: ["/price: string (was number)"] }]);
});

test("optional members, empty lists, other subjects and new members are not changes", () => {
  const { see, diff } = start();
  const { price } = USUAL;
  for (let round = 0; round < 5; round += 1) {
    see(USUAL, { ...USUAL, note: "x" }, { price, rows: [] }, { price, rows: null });
    see({ ...USUAL, by_pair: { BTCUSD: 1 } }, { ...USUAL, by_pair: { "eth-1": 2 } });
  }
  see(...times(5, { price, rows: [] }), ...times(5, { ...USUAL, more: 1 }));
  expect(diff()).toEqual([]);
  // Missing now and then, it is optional from then on.
  see({ rows: USUAL.rows }, USUAL, ...times(9, { rows: USUAL.rows }));
  expect(diff()).toEqual([]);
});

test("data named after a buyer's parameters is not part of a shape, and is not named", () => {
  const { clock, watch } = start();
  const ask = (id: string, value: object) => {
    clock.advance(HOUR_MS);
    watch.note({ provider: "own", path: `/simple/price?ids=${id}`, body: "", schema, value: { [id]: value } });
  };
  for (let round = 0; round < 6; round += 1) ask("bitcoin", { usd: 1 });
  for (let round = 0; round < 4; round += 1) ask("ethereum", { usd: 1 });
  expect(watch.changes()).toEqual([]);
  for (let round = 0; round < 4; round += 1) ask("monero", { eur: 1 });
  expect(watch.changes()).toMatchObject([{ endpoint: null, gone: ["/*/usd"], came: ["/*/eur"] }]);
  expect(JSON.stringify(watch.changes())).not.toMatch(/bitcoin|ethereum|monero/);
});

test("after a week the new shape is the usual one", () => {
  const { see, diff, clock } = start();
  see(...times(6, USUAL), ...times(3, { price: 1 }));
  expect(diff()).toHaveLength(1);
  clock.advance(7 * 24 * HOUR_MS);
  see(...times(12, { price: 1 }));
  expect(diff()).toEqual([]);
});

test("an endpoint is inspected once an hour", () => {
  const { see, urgent, watch } = start();
  see(USUAL);
  for (const value of times(100, USUAL))
    watch.note({ provider: "kraken", path: "/0/public/Depth", body: "", schema, value });
  expect(urgent).toHaveLength(1);
});

test("a huge answer is inspected within limits, and members beyond them never count as missing", () => {
  const wide = Object.fromEntries(
    Array.from({ length: 50 }, (_, one) => [`m${"x".repeat(one)}`, { a: [[[{ b: one }]]] }]),
  );
  const deep = JSON.parse(`${'{"a":'.repeat(500)}1${"}".repeat(500)}`);
  const rows = Array.from({ length: 100_000 }, () => wide);
  for (const value of [wide, deep, rows]) {
    const { kinds, is_partial } = readShape(value);
    expect([kinds.size <= 200, is_partial]).toEqual([true, true]);
  }
  const { see, diff } = start();
  see(...times(6, { ...wide, last: 1 }), ...times(4, { first: 1, ...wide }));
  expect(diff()).toEqual([]);
});
