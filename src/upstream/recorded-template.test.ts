import { describe, expect, test } from "bun:test";
import { fillIn, listUnseen, mergeTemplates, toTemplate } from "./recorded-template.ts";

const ticker = toTemplate({ code: "0", data: [{ instId: "BTC-USD", last: "9999.99", high24h: "10000" }] });

describe("a simulated answer", () => {
  test("takes all other members from the record, in the publisher's order", () => {
    const filled = fillIn(ticker, { code: "0", data: [{ last: "5", instId: "ETH-USD" }] });
    expect(JSON.stringify(filled)).toBe('{"code":"0","data":[{"instId":"ETH-USD","last":"5","high24h":"10000"}]}');
  });

  test("keeps its own fields, and leaves out those set to undefined", () => {
    const filled = fillIn(ticker, { data: [{ last: "5", high24h: undefined, own: 1 }] });
    expect(JSON.stringify(filled)).toBe('{"code":"0","data":[{"instId":"BTC-USD","last":"5","own":1}]}');
  });

  test("has as many rows as it plays", () => {
    expect(fillIn(ticker, { data: [] })).toEqual({ code: "0", data: [] });
  });

  test("gets no fields that only some recorded rows have", () => {
    const rows = toTemplate([{ name: "a", twitter: "x" }, { name: "b" }]);
    expect(fillIn(rows, [{ name: "c" }])).toEqual([{ name: "c" }]);
    expect(listUnseen(rows, [{ name: "c", twitter: "y" }])).toEqual([]);
  });

  test("may be null, or of another kind, as the publisher's might be", () => {
    expect(fillIn(ticker, { code: "1", data: null })).toEqual({ code: "1", data: null });
    expect(fillIn(ticker, "too short")).toBe("too short");
  });
});

describe("ids", () => {
  const pairs = toTemplate({ XXBTZUSD: { base: "XXBT", margin: 80 }, XETHZUSD: { base: "XETH", margin: 40 } });

  test("are the simulated ones, each with the fields of a recorded one", () => {
    expect(fillIn(pairs, { SOLUSD: { base: "SOL" } })).toEqual({ SOLUSD: { base: "SOL", margin: 80 } });
  });

  test("may have ordinary fields beside them", () => {
    const bars = toTemplate({ XXBTZUSD: [[1, "2"]], last: 3 });
    expect(fillIn(bars, { SOLUSD: [[4, "5"]] })).toEqual({ last: 3, SOLUSD: [[4, "5"]] });
    expect(listUnseen(bars, { SOLUSD: [[4, "5"]], last: 6 })).toEqual([]);
  });

  test("are not confused with fields in capitals", () => {
    const row = toTemplate([{ NC: "1", D1N: "Brasil" }]);
    expect(fillIn(row, [{ NC: "2" }])).toEqual([{ NC: "2", D1N: "Brasil" }]);
  });
});

test("positions of a row with several kinds of values have different meanings", () => {
  const funding = toTemplate([["BTC", [["Venue", { rate: "1", hours: 8 }]]]]);
  expect(fillIn(funding, [["ETH", [["Venue", { rate: "2" }]]]])).toEqual([
    ["ETH", [["Venue", { rate: "2", hours: 8 }]]],
  ]);
});

describe("a form that was never recorded", () => {
  test("is a field that no recording has, and a value of another type", () => {
    expect(listUnseen(ticker, { code: 0, data: [{ last: "1", ask: "2" }], ts: 3 })).toEqual([
      ".code: a number, recorded as a string",
      ".data[].ask",
      ".ts",
    ]);
  });

  test("is not reported where the records differ among themselves", () => {
    const both = mergeTemplates(toTemplate({ value: 1 }), toTemplate({ value: "n/a" }));
    expect(listUnseen(both, { value: true })).toEqual([]);
  });
});
