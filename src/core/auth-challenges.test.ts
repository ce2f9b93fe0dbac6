import { expect, test } from "bun:test";
import { parseAuthChallenges } from "./auth-challenges.ts";

test.each([
  ["Basic", [{ scheme: "Basic", params: {} }]],
  ['Payment id="a", realm="r"', [{ scheme: "Payment", params: { id: "a", realm: "r" } }]],
  [
    'Bearer realm="x", Payment id="1",method=evm , Payment ID = "2"',
    [
      { scheme: "Bearer", params: { realm: "x" } },
      { scheme: "Payment", params: { id: "1", method: "evm" } },
      { scheme: "Payment", params: { id: "2" } },
    ],
  ],
  [
    'Payment realm="a \\"b\\", Payment id=\\"c\\""',
    [{ scheme: "Payment", params: { realm: 'a "b", Payment id="c"' } }],
  ],
  ["", []],
  ["=", []],
  ['id="a"', []],
])("%s is read as it is meant", (header, expected) => {
  expect(parseAuthChallenges(header)).toEqual(expected);
});

test("what cannot be read ends the list", () => {
  expect(parseAuthChallenges('Payment id="a", realm="open')).toEqual([{ scheme: "Payment", params: { id: "a" } }]);
  expect(parseAuthChallenges('Payment id="a", id="b", realm="r"')).toEqual([
    { scheme: "Payment", params: { id: "a" } },
  ]);
  expect(parseAuthChallenges(`Payment id="${"a".repeat(40_000)}"`)).toEqual([]);
});

test("a header of many challenges is read in part, and fast", () => {
  expect(parseAuthChallenges("Payment ".repeat(4_000)).length).toBeLessThan(50);
  expect(parseAuthChallenges(`Payment realm="${"\\".repeat(30_000)}`)).toEqual([{ scheme: "Payment", params: {} }]);
});
