import { describe, expect, test } from "bun:test";
import Ajv from "ajv/dist/2020";
import { fc } from "../../test/helpers/properties.ts";
import { findSchemaFault } from "./json-schema.ts";

describe("a value", () => {
  test.each([
    [{ type: "object", required: ["a"] }, {}, "a is missing"],
    [{ type: "object", properties: { a: { type: "string" } } }, { a: 1 }, "a is no string"],
    [{ type: "object", additionalProperties: false }, { b: 1 }, "b is not allowed"],
    [{ type: "array", items: { type: "integer" } }, [1, 1.5], "[1] is no integer"],
    [{ const: 2 }, 1, "the document is not 2"],
    [{ enum: ["a", "b"] }, "c", 'the document is none of "a", "b"'],
    [{ type: ["string", "null"] }, 3, "the document is no string or null"],
    [{ type: "string", pattern: "^a" }, "b", "the document does not match ^a"],
    [{ type: "string", pattern: "(" }, "b", "the document does not match ("],
    [{ anyOf: [{ type: "string" }, { type: "null" }] }, 1, "the document is no string"],
    [{ type: "object", properties: { a: { type: "object", required: ["b"] } } }, { a: {} }, "a.b is missing"],
  ] as const)("that breaks %j is told where: %j", (schema, value, fault) => {
    expect(findSchemaFault(schema, value)).toBe(fault);
  });
});

const leaf = fc.oneof(
  fc.constantFrom({}, true, { type: "string" }, { type: "integer" }, { type: "boolean" }, { type: "null" }),
  fc.record({ type: fc.constant("string"), minLength: fc.nat(3), maxLength: fc.nat(3) }),
  fc.record({ type: fc.constant("number"), minimum: fc.integer({ min: -2, max: 2 }), maximum: fc.nat(3) }),
  fc.record({ const: fc.constantFrom("a", 1, null, true) }),
  fc.record({ enum: fc.constantFrom(["a"], [1, "b"], [null, 2]) }),
  fc.record({ type: fc.constant("string"), pattern: fc.constantFrom("^a", "b$", "^[ab]*$") }),
);
const { schema } = fc.letrec((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    leaf,
    fc.record({
      type: fc.constant("object"),
      required: fc.subarray(["a", "b"]),
      properties: fc.dictionary(fc.constantFrom("a", "b"), tie("schema"), { maxKeys: 2 }),
      additionalProperties: fc.oneof(fc.boolean(), tie("schema")),
    }),
    fc.record({ type: fc.constant("array"), items: tie("schema"), minItems: fc.nat(2), maxItems: fc.nat(3) }),
    fc.record({ anyOf: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }) }),
    fc.record({ oneOf: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }) }),
    fc.record({ allOf: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }) }),
  ),
}));
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    fc.constantFrom("", "a", "ab", "b", "abc", 0, 1, 2, -1, 1.5, null, true, false),
    fc.dictionary(fc.constantFrom("a", "b", "c"), tie("value"), { maxKeys: 3 }),
    fc.array(tie("value"), { maxLength: 3 }),
  ),
}));

const ajv = new Ajv({ strict: false, addUsedSchema: false });

test("the verdict is the one of ajv, whatever the schema and the value", () => {
  let met = 0;
  fc.assert(
    fc.property(schema, value, (rule, given) => {
      const expected = ajv.validate(rule as object, given);
      if (expected) met += 1;
      expect(findSchemaFault(rule, given) === null).toBe(expected);
    }),
    { numRuns: 400 },
  );
  expect(met).toBeGreaterThan(20);
});
