import { describe, expect, test } from "bun:test";
import { fc } from "../../test/helpers/properties.ts";
import { NodeError, UpstreamError } from "../core/errors.ts";
import { encodeInParts } from "./inputs-parts.ts";
import { decodeInputs, encodeInputs, NotPlainError } from "./inputs-text.ts";

const plain = fc.anything({
  withBigInt: true,
  withMap: true,
  withSet: true,
  withDate: true,
  withNullPrototype: false,
  withSparseArray: false,
});

/** Bun's own equality treats an invalid date as different from itself. */
const show = (value: unknown): string => Bun.inspect(value, { depth: 100 });

describe("inputs as text", () => {
  test("give the same value back, and the same text again", () => {
    fc.assert(
      fc.property(plain, (value) => {
        const text = encodeInputs(value);
        const again = decodeInputs(text);
        expect(show(again)).toBe(show(value));
        expect(encodeInputs(again)).toBe(text);
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ["bigint", 12_345_678_901_234_567_890n],
    ["undefined in a list and in a member", [undefined, { a: undefined }]],
    ["NaN, both infinities, minus zero", [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0]],
    ["dates, an invalid one too", [new Date(1_700_000_000_000), new Date(Number.NaN)]],
    ["maps of maps, with objects as keys", new Map([[{ a: 1n }, new Map([["b", new Set([1, "1"])]])]])],
    ["bytes", new Uint8Array([0, 1, 254, 255])],
    ["what looks like a form", [{ $bigint: "1" }, { $object: { $map: [] } }, { $any: 1 }, { $a: 1, b: 2 }]],
    ["half a surrogate pair", "\ud800"],
    ["a member named __proto__", JSON.parse('{"__proto__":{"a":{"$b":1}}}')],
  ])("%s", (_, value) => {
    const again = decodeInputs(encodeInputs(value));
    expect(show(again)).toBe(show(value));
  });

  test("members keep their order, on which compute may depend", () => {
    expect(Object.keys(decodeInputs(encodeInputs({ b: 1, a: 2n })) as object)).toEqual(["b", "a"]);
  });

  test("errors keep their message and their class", () => {
    const options = { retry_after_s: 3, details: { parameter: "a" }, cause: new Error("inner") };
    const [node, upstream, other] = decodeInputs(
      encodeInputs([
        new NodeError("no_history", "None yet.", options),
        new UpstreamError("upstream_timeout", "kraken", "too slow", { own_limit: true }),
        new TypeError("x is not a function"),
      ]),
    ) as [NodeError, UpstreamError, Error];
    expect(node).toBeInstanceOf(NodeError);
    expect([node.code, node.message, node.options.retry_after_s]).toEqual(["no_history", "None yet.", 3]);
    expect(node.options.details).toEqual({ parameter: "a" });
    expect(upstream).toBeInstanceOf(UpstreamError);
    expect([upstream.kind, upstream.provider, upstream.message, upstream.own_limit, upstream.retry_after_s]).toEqual([
      ...["upstream_timeout", "kraken", "too slow", true, undefined],
    ]);
    expect(other).toBeInstanceOf(Error);
    expect(other.message).toBe("x is not a function");
  });

  test("headers keep every field", () => {
    const headers = new Headers([
      ["set-cookie", "a=1"],
      ["set-cookie", "b=2"],
      ["X-A", "1"],
    ]);
    expect([...(decodeInputs(encodeInputs({ headers })) as { headers: Headers }).headers]).toEqual([...headers]);
  });

  test.each([
    ["a function", { a: [{ b: () => 1 }] }, "inputs.a[0].b is a function"],
    ["a symbol", [Symbol("a")], "inputs[0] is a symbol"],
    ["a class of its own", { a: new (class Reader {})() }, "inputs.a is an object of class Reader"],
    ["an object that writes itself", { a: { toJSON: () => 1 } }, "inputs.a is an object with toJSON"],
  ])("%s is refused by its place", (_, value, message) => {
    expect(() => encodeInputs(value)).toThrow(NotPlainError);
    expect(() => encodeInputs(value)).toThrow(message);
  });

  test("a circular value is refused", () => {
    const circle: { self?: unknown } = {};
    circle.self = circle;
    expect(() => encodeInputs(circle)).toThrow("or a circle");
  });

  test("the value itself is not changed", () => {
    const value = Object.freeze({ list: Object.freeze([1n, { a: undefined }]) });
    encodeInputs(value);
    expect(value).toEqual({ list: [1n, { a: undefined }] } as never);
  });

  test.each(['{"$bigint":"1.5"}', '{"$value":"true"}', '{"$map":[[1]]}', '{"$other":1}', '{"$error":{"class":"X"}}'])(
    "%s is no form of a value",
    (text) => {
      expect(() => decodeInputs(text)).toThrow("is no form of a value");
    },
  );
});

describe("inputs in parts", () => {
  /** Values large enough for several parts: a list, a record, other values, and nested lists. */
  const large = (value: unknown) => ({
    days: Array.from({ length: 3_000 }, (_, n) => ({ n, value })),
    by_name: Object.fromEntries(Array.from({ length: 1_500 }, (_, n) => [`"${n}"`, n % 100 === 0 ? value : -0])),
    $map: new Map(Array.from({ length: 1_200 }, (_, n) => [n, [value]])),
    set: new Set(Array.from({ length: 2_000 }, (_, n) => `${n}`)),
    taken: { $object: Array.from({ length: 1_100 }, (_, n) => BigInt(n)) },
    text: "é".repeat(200_000),
    value,
    sparse: Object.assign(new Array(2_000), { 1999: 1 }),
    lists: [[], [Array.from({ length: 999 })], {}],
  });

  test("are the same bytes for any value", () => {
    fc.assert(
      fc.property(plain, (value) => {
        expect([...encodeInParts(value)].join("")).toBe(encodeInputs(value));
      }),
      { numRuns: 200 },
    );
    fc.assert(
      fc.property(plain, (value) => {
        const whole = large(value);
        const parts = [...encodeInParts(whole)];
        expect(parts.join("")).toBe(encodeInputs(whole));
        expect(parts.length).toBeGreaterThan(20);
      }),
      { numRuns: 5 },
    );
  });

  test("are all small: a list of a hundred thousand rows has a hundred parts", () => {
    const rows = Array.from({ length: 100_000 }, (_, n) => ({ at_ms: n, value: n / 3 }));
    const parts = [...encodeInParts({ rows })];
    expect(Math.max(...parts.map(({ length }) => length))).toBeLessThan(50_000);
    expect(parts.length).toBeGreaterThan(100);
  });

  test("refuse a value with the same path, at any depth", () => {
    const refusalOf = (encode: () => unknown): string => {
      try {
        encode();
      } catch (error) {
        if (error instanceof NotPlainError) return error.message;
      }
      return "nothing";
    };
    const circle: Record<string, unknown> = { rows: Array.from({ length: 1_200 }) };
    circle.self = circle;
    const rows = Array.from({ length: 3_000 }, (_, n): unknown => ({ n }));
    for (const wrong of [{ a: [...rows, () => 1] }, { a: { b: [...rows, rows, { toJSON: () => 1 }] } }, circle]) {
      const refused = refusalOf(() => encodeInputs(wrong));
      expect(refused).toStartWith("inputs.");
      expect(refusalOf(() => [...encodeInParts(wrong)])).toBe(refused);
    }
  });
});
