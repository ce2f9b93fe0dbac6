import { expect, test } from "bun:test";
import { closest, listClosest } from "./closest.ts";
import { createNoSuchSubject } from "./no-such-subject.ts";

const KNOWN = ["AAPL", "APP", "MSFT", "APLE", "PAL"];

test("the nearest names come first, and names too far to be a slip are left out", () => {
  expect(listClosest("appl", KNOWN, 3)).toEqual(["AAPL", "APP", "APLE"]);
  expect(listClosest("ZZZZ", KNOWN, 3)).toEqual([]);
  expect(closest("MSFTT", KNOWN)).toBe("MSFT");
  expect(closest("x", ["long-name"])).toBeUndefined();
});

test("a call for what does not exist gets what may have been meant, and never that the node failed", () => {
  const error = createNoSuchSubject("The SEC lists no ticker APPL.", { param: "symbol", got: "APPL", known: KNOWN });
  expect([error.code, error.status, error.options.param]).toEqual(["subject_not_found", 404, "symbol"]);
  expect(error.message).toBe("The SEC lists no ticker APPL. Near: AAPL, APP, APLE. Nothing was charged.");
  expect(error.options.details).toEqual({ parameter: "symbol", got: "APPL", near: ["AAPL", "APP", "APLE"] });
});
