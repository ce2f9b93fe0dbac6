import { describe, expect, test } from "bun:test";
import { fc } from "../../../test/helpers/properties.ts";
import { createTestModel } from "../../../test/helpers/surface-model.ts";
import { TEXT_BYTES_DEFAULT, TEXT_BYTES_MAX, TEXT_BYTES_MIN } from "../../surfaces/mcp-tools.ts";
import { summariseJSON } from "./summary.ts";
import { readTextBudget } from "./text-budget.ts";

const envelope = (data: unknown, more: object = {}) =>
  JSON.stringify({
    product: "one",
    as_of: "2026-11-21T06:00:00Z",
    sources: Array.from({ length: 20 }, (_, n) => ({ provider: "p", ok: true, url: `https://a.example/${n}` })),
    warnings: ["depth: not known"],
    data,
    ...more,
  });
const rows = (count: number) => Array.from({ length: count }, (_, index) => ({ t: index, close: 100 + index }));
const read = (...of: Parameters<typeof summariseJSON>) => JSON.parse(summariseJSON(...of));

describe("a tool's text", () => {
  test("is the answer itself where that is short", () => {
    const json = JSON.stringify({ product: "one", data: { value: 1 } });
    expect(summariseJSON(json)).toBe(json);
  });

  test("names sources once, unless the whole answer was asked for", () => {
    const json = envelope({ value: 1 });
    expect(read(json)).toEqual({ ...JSON.parse(json), sources: [{ provider: "p", ok: true }] });
    expect(summariseJSON(json, { has_all_sources: true })).toBe(json);
  });

  test("of every product's example answer is whole", () => {
    const { products } = createTestModel();
    const cut = products.filter(({ id, example: { data } }) => {
      const json = JSON.stringify({ product: id, sources: [], warnings: [], data });
      return Buffer.byteLength(json) <= TEXT_BYTES_DEFAULT && read(json).summary !== undefined;
    });
    expect(cut.map(({ id }) => id)).toEqual([]);
  });

  test("of a long answer says so, and has all that `view=brief` has before any of its long tables", () => {
    const data = { history: rows(5_000), levels: rows(40), sharpe: 1.2, token: { mint: "m".repeat(44) } };
    const text = summariseJSON(envelope(data), { long: ["history"] });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(TEXT_BYTES_DEFAULT);
    const shown = JSON.parse(text);
    expect(shown.summary).toContain("structuredContent");
    expect(shown).toMatchObject({ product: "one", warnings: ["depth: not known"], sources: [{ provider: "p" }] });
    expect(shown.data).toMatchObject({ levels: data.levels, sharpe: 1.2, token: data.token });
    expect(shown.data.history[0]).toEqual({ t: 0, close: 100 });
    expect(shown.data.history.at(-1)).toMatch(/^… \d+ more$/);
    expect(summariseJSON(envelope(data), { long: ["history"] })).toBe(text);
  });

  test.each([[{ name: "Suex OTC SRO", threshold: 0.82 }], [{ mint: "m".repeat(300), chain: "solana" }]])(
    "that is cut begins with what was asked, verdict and figures: %j",
    (asked) => {
      const data = {
        matches: Array.from({ length: 900 }, (_, n) => ({ aliases: rows(40), primary_name: `Name ${n}` })),
        long_text: "x".repeat(90_000),
        verdict: "hit",
        score: 7,
        token: { address: "a".repeat(44) },
      };
      for (const bytes of [TEXT_BYTES_MIN, TEXT_BYTES_DEFAULT, 30_000]) {
        const text = summariseJSON(envelope(data), { bytes, asked });
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(bytes);
        const shown = JSON.parse(text);
        expect(Object.keys(shown).slice(0, 2)).toEqual(["summary", "asked"]);
        expect(Object.keys(shown.data).slice(0, 2)).toEqual(["verdict", "score"]);
        expect(shown).toMatchObject({ asked, warnings: ["depth: not known"], data: { token: data.token } });
        expect(shown.data.matches[0].primary_name).toBe("Name 0");
        expect(shown.data.long_text).toMatch(/^x{240,}…$/);
      }
    },
  );

  test("keeps its own members where an answer has some of the same names", () => {
    const json = envelope({ list: rows(2_000) }, { summary: "theirs", asked: "theirs" });
    expect(read(json, { asked: { symbol: "BTC" } })).toMatchObject({
      summary: expect.stringContaining("Cut"),
      asked: { symbol: "BTC" },
    });
  });

  test("of a preview begins with what it is of, whole, however much else is cut", () => {
    const preview_of = { mint: "m".repeat(300), note: { deep: { deeper: { deepest: ["a", "b"] } } } };
    for (const count of [0, 20, 5_000]) {
      const data = { list: Array.from({ length: count }, () => "row"), text: "x".repeat(30_000) };
      for (const bytes of [TEXT_BYTES_MIN, TEXT_BYTES_DEFAULT]) {
        const text = summariseJSON(JSON.stringify({ preview_of, product: "one", warnings: ["w".repeat(900)], data }), {
          bytes,
          asked: preview_of,
        });
        expect(Object.keys(JSON.parse(text))[0]).toBe("preview_of");
        expect(JSON.parse(text)).toMatchObject({ preview_of, product: "one" });
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(bytes);
      }
    }
  });

  test("of several previews keeps what each is of, or shows none of their data", () => {
    const one = (pair: string) => ({ preview_of: { pair }, data: { rate: 1.5, text: "x".repeat(9_000) } });
    const names = Array.from({ length: 400 }, (_, index) => `pair-${index}`);
    for (const count of [2, 40, 400]) {
      const all = Object.fromEntries(names.slice(0, count).map((pair) => [pair, one(pair)]));
      for (const [pair, shown] of Object.entries(read(JSON.stringify(all)) as Record<string, object>)) {
        if (typeof shown === "object" && "data" in shown) expect(shown).toMatchObject({ preview_of: { pair } });
      }
    }
  });

  test("never takes more than its share, whatever the answer is", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const text = summariseJSON(JSON.stringify({ ...value, pad: "ä".repeat(1_500) }), { bytes: TEXT_BYTES_MIN });
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(TEXT_BYTES_MIN);
        expect(JSON.parse(text)).toBeObject();
      }),
    );
  });
});

describe("the argument text_bytes", () => {
  test("is taken out of the arguments, as a number or its text", () => {
    const others = { symbol: "BTC" };
    expect(readTextBudget(others)).toEqual({ text_bytes: TEXT_BYTES_DEFAULT, others });
    for (const text_bytes of [TEXT_BYTES_MIN, TEXT_BYTES_MAX, 9_000]) {
      expect(readTextBudget({ ...others, text_bytes })).toEqual({ text_bytes, others });
      expect(readTextBudget({ ...others, text_bytes: String(text_bytes) })).toEqual({ text_bytes, others });
    }
    expect(readTextBudget({ text_bytes: null })).toEqual({ text_bytes: TEXT_BYTES_DEFAULT, others: {} });
  });

  test.each([0, 1_999, 100_001, 2_500.5, -1, "many", true, {}, "1e4"])("refuses %p", (text_bytes) => {
    expect(() => readTextBudget({ text_bytes })).toThrow('Parameter "text_bytes" must be a whole number');
  });
});
