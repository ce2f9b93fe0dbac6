import { describe, expect, test } from "bun:test";
import { canonicalJSON } from "./hash.ts";
import { applyMergePatch, createMergePatch } from "./merge-patch.ts";

describe("a merge patch", () => {
  // RFC 7396, Appendix A.
  test.each([
    ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
    ['{"a":"b"}', '{"a":null}', "{}"],
    ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
    ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
    ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
    ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
    ['["a","b"]', '["c","d"]', '["c","d"]'],
    ['{"a":"b"}', '["c"]', '["c"]'],
    ['{"a":"foo"}', "null", "null"],
    ['{"a":"foo"}', '"bar"', '"bar"'],
    ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
    ["[1,2]", '{"a":"b","c":null}', '{"a":"b"}'],
    ["{}", '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
  ])("%s with %s is %s", (target, patch, result) => {
    expect(applyMergePatch(JSON.parse(target), JSON.parse(patch))).toEqual(JSON.parse(result));
  });

  test("of two values makes the second of the first, wherever nothing becomes null", () => {
    let seed = 1;
    const next = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    const make = (depth: number): unknown => {
      const kind = next(depth > 3 ? 3 : 5);
      if (kind === 0) return next(4);
      if (kind === 1) return ["x", "y", "", "é"][next(4)];
      if (kind === 2) return next(2) === 0;
      if (kind === 3) return Array.from({ length: next(4) }, () => (next(5) === 0 ? null : make(depth + 1)));
      return Object.fromEntries(Array.from({ length: next(5) }, () => ["abcd_"[next(5)] ?? "", make(depth + 1)]));
    };
    for (let n = 0; n < 3_000; n += 1) {
      const [from, to] = [make(0), make(0)];
      const patch = createMergePatch(from, to);
      if (patch === undefined) expect(canonicalJSON(from)).toBe(canonicalJSON(to));
      else expect(canonicalJSON(applyMergePatch(from, patch))).toBe(canonicalJSON(to));
      expect(createMergePatch(from, structuredClone(from))).toBeUndefined();
    }
  });

  test("cannot express that a member became null: its result differs, and a caller who applies it sees that", () => {
    const to = { a: null, b: { c: null } };
    const patch = createMergePatch({ a: 1, b: 2 }, to);
    expect(applyMergePatch({ a: 1, b: 2 }, patch)).toEqual({ b: {} });
    // Members that were null before, and nulls inside lists, cause no trouble.
    const kept = createMergePatch({ a: null, l: [] }, { a: null, l: [null, { n: null }] });
    expect(applyMergePatch({ a: null, l: [] }, kept)).toEqual({ a: null, l: [null, { n: null }] });
  });

  test("of a member called __proto__ changes that member, and nothing else", () => {
    const [from, to] = [JSON.parse('{"__proto__":{"x":1}}'), JSON.parse('{"__proto__":{"x":2}}')];
    const made = applyMergePatch(from, createMergePatch(from, to));
    expect(JSON.stringify(made)).toBe('{"__proto__":{"x":2}}');
    expect(({} as { x?: number }).x).toBeUndefined();
  });

  test("of values nested without end is made without running over", () => {
    const nest = (depth: number, leaf: number) => {
      let value: unknown = leaf;
      for (let n = 0; n < depth; n += 1) value = { a: value };
      return value;
    };
    const [from, to] = [nest(500, 1), nest(500, 2)];
    expect(applyMergePatch(from, createMergePatch(from, to))).toEqual(to);
  });
});
