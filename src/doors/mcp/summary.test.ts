import { describe, expect, test } from "bun:test";
import { fc } from "../../../test/helpers/properties.ts";
import { summariseJSON, TEXT_BYTES_MAX } from "./summary.ts";

describe("a tool's text", () => {
  test("is the answer itself where that is short", () => {
    const json = JSON.stringify({ product: "one", data: { value: 1 } });
    expect(summariseJSON(json)).toBe(json);
  });

  test("of a long answer begins what it begins with, and says so", () => {
    const bars = Array.from({ length: 5_000 }, (_, index) => ({ t: index, close: 100 + index }));
    const json = JSON.stringify({ product: "backtest", as_of: "2026-11-21T06:00:00Z", data: { sharpe: 1.2, bars } });
    const text = summariseJSON(json);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(TEXT_BYTES_MAX);
    const read = JSON.parse(text);
    expect(read).toMatchObject({ product: "backtest", as_of: "2026-11-21T06:00:00Z", data: { sharpe: 1.2 } });
    expect(read.summary).toContain("structuredContent");
    expect(read.data.bars[0]).toEqual({ t: 0, close: 100 });
    expect(read.data.bars.at(-1)).toMatch(/^… \d+ more$/);
    expect(summariseJSON(json)).toBe(text);
  });

  test("of a preview begins with what it is of, whole, however much else is cut", () => {
    const preview_of = { mint: "m".repeat(300), note: { deep: { deeper: { deepest: ["a", "b"] } } } };
    for (const rows of [0, 20, 5_000]) {
      const data = { list: Array.from({ length: rows }, () => "row"), text: "x".repeat(3_000) };
      const text = summariseJSON(JSON.stringify({ preview_of, product: "one", warnings: ["w".repeat(900)], data }));
      expect(Object.keys(JSON.parse(text))[0]).toBe("preview_of");
      expect(JSON.parse(text)).toMatchObject({ preview_of, product: "one" });
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(TEXT_BYTES_MAX);
    }
  });

  test("of several previews keeps what each is of, or shows none of their data", () => {
    const one = (pair: string) => ({ preview_of: { pair }, data: { rate: 1.5, text: "x".repeat(9_000) } });
    const names = Array.from({ length: 40 }, (_, index) => `pair-${index}`);
    for (const count of [2, 8, 40]) {
      const all = Object.fromEntries(names.slice(0, count).map((pair) => [pair, one(pair)]));
      for (const [pair, shown] of Object.entries(JSON.parse(summariseJSON(JSON.stringify(all))))) {
        if (typeof shown === "object") expect(shown).toMatchObject({ preview_of: { pair } });
      }
    }
  });

  test("never takes more than its share, whatever the answer is", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const text = summariseJSON(JSON.stringify({ ...value, pad: "ä".repeat(1_500) }));
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(TEXT_BYTES_MAX);
        expect(JSON.parse(text)).toBeObject();
      }),
    );
  });
});
