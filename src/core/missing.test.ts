import { describe, expect, test } from "bun:test";
import { missing, missingIn, settleMissing } from "./missing.ts";

describe("a missing figure", () => {
  test("is null, and the warning names its field", () => {
    expect(settleMissing({ price: 5, book: { bid: missing("no venue quotes it") } })).toEqual({
      data: { price: 5, book: { bid: null } },
      warnings: ["book.bid: no venue quotes it"],
    });
  });

  test("shares its warning with all that lack for the same reason", () => {
    const why = "no venue quotes it";
    expect(settleMissing({ bid: missing(why), ask: missing(why), volume: missing("not stated") }).warnings).toEqual([
      "bid, ask: no venue quotes it",
      "volume: not stated",
    ]);
  });

  test("of rows is named once, with how many rows lack it", () => {
    const rows = [{ age_s: missing("the venue states no time") }, { age_s: 3 }];
    expect(settleMissing({ rows }).warnings).toEqual(["rows[].age_s: the venue states no time"]);
    expect(settleMissing({ rows: [...rows, ...rows] })).toEqual({
      data: { rows: [{ age_s: null }, { age_s: 3 }, { age_s: null }, { age_s: 3 }] },
      warnings: ["rows[].age_s (2 of them): the venue states no time"],
    });
  });

  test("of a few rows is named by what tells the rows apart, of many by their number", () => {
    const rows = (symbols: readonly string[]) =>
      symbols.map((symbol) => ({ side: "long", symbol, risk: missing("flat") }));
    const told = (symbols: readonly string[]) => settleMissing({ signals: rows(symbols) }).warnings;
    expect(told(["SOL"])).toEqual(["signals[SOL].risk: flat"]);
    expect(told(["SOL", "BTC", "ETH"])).toEqual(["signals[SOL].risk, signals[BTC].risk, signals[ETH].risk: flat"]);
    expect(told(["SOL", "BTC", "ETH", "XRP"])).toEqual(["signals[].risk (4 of them): flat"]);
    expect(told(["SOL", "SOL"])).toEqual(["signals[].risk (2 of them): flat"]);
    const nested = [
      { id: "a", rows: rows(["SOL"]) },
      { id: "b", rows: [] },
    ];
    expect(settleMissing({ nested }).warnings).toEqual(["nested[a].rows[SOL].risk: flat"]);
    const free = [{ name: "No word, but a sentence", risk: missing("flat") }];
    expect(settleMissing({ free }).warnings).toEqual(["free[].risk: flat"]);
  });

  test("of a row is not named again where a warning begins with it", () => {
    const draft = { rows: [{ id: "a", x: missing("gone") }] };
    expect(settleMissing(draft, ["rows[a].x: it did not answer"]).warnings).toEqual([]);
    expect(settleMissing(draft, ["rows[b].x: it did not answer"]).warnings).toEqual(["rows[a].x: gone"]);
  });

  test("in an answer that lacks more than four for one reason is named by its section", () => {
    const lacks = () => missing("the report could not be read");
    const draft = { name: lacks(), income: { a: lacks(), b: lacks(), c: lacks() }, cash: { a: lacks() } };
    expect(settleMissing(draft).warnings).toEqual(["name, income (3 figures), cash.a: the report could not be read"]);
  });

  test("covers every null of a part that is missing for one reason", () => {
    const part = { n: 0, win_rate: null, band: { lo95: null }, rows: [null], net: missing("no signal has costs") };
    expect(settleMissing({ record_stats: missingIn(part, "no signal was graded yet"), other: null })).toEqual({
      data: { record_stats: { n: 0, win_rate: null, band: { lo95: null }, rows: [null], net: null }, other: null },
      warnings: [
        "record_stats.win_rate, record_stats.band.lo95, record_stats.rows[]: no signal was graded yet",
        "record_stats.net: no signal has costs",
      ],
    });
    expect(settleMissing({ record_stats: missingIn(null, "no record") }).warnings).toEqual(["record_stats: no record"]);
  });

  test("is not named again where a warning begins with it", () => {
    const draft = { bid: missing("nobody quotes it"), ask: missing("nobody quotes it") };
    expect(settleMissing(draft, ["bid, size: kraken did not answer"]).warnings).toEqual(["ask: nobody quotes it"]);
    expect(settleMissing(draft, ["bid, ask: kraken did not answer"]).warnings).toEqual([]);
    expect(settleMissing(draft, ["price: bid, ask: no such field begins it"]).warnings).toHaveLength(1);
  });

  test("may be a member of a list, or all there is", () => {
    expect(settleMissing([1, missing("gone")])).toEqual({ data: [1, null], warnings: ["[]: gone"] });
  });
});

test("data that lacks nothing is handed on as it is, with its own nulls", () => {
  const data = { a: null, rows: [{ b: null }], words: "", n: 0 };
  expect(settleMissing(data)).toEqual({ data, warnings: [] });
  expect(settleMissing(data).data).toBe(data);
  const draft = { whole: data, lacking: missing("gone") };
  expect((settleMissing(draft).data as { readonly whole: unknown }).whole).toBe(data);
});

test("members keep their order and their names, whatever these are", () => {
  const draft = JSON.parse('{"b": 1, "__proto__": {"c": 2}, "a": 3}');
  const { data } = settleMissing({ ...draft, ["__proto__"]: draft, z: missing("gone") });
  expect(JSON.stringify(data)).toBe(`{"b":1,"__proto__":${JSON.stringify(draft)},"a":3,"z":null}`);
});
