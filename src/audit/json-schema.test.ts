import { describe, expect, test } from "bun:test";
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
    [{ type: "string", pattern: "(" }, "b", "the schema cannot be used: Invalid regular expression: missing )"],
    [{ anyOf: [{ type: "string" }, { type: "null" }] }, 1, "the document is no string"],
    [{ type: "object", properties: { a: { type: "object", required: ["b"] } } }, { a: {} }, "a.b is missing"],
  ] as const)("that breaks %j is reported with its place: %j", (schema, value, fault) => {
    expect(findSchemaFault(schema, value)).toBe(fault);
  });
});

test("a value that follows has no fault, and a place outside leads the way", () => {
  expect(findSchemaFault({ type: "object", required: ["a"] }, { a: 1 })).toBeNull();
  expect(findSchemaFault(true, 1)).toBeNull();
  expect(findSchemaFault(undefined, 1)).toBeNull();
  const nested = { properties: { a: { items: { required: ["b/c"] } } } };
  expect(findSchemaFault(nested, { a: [{}] }, { where: "info" })).toBe("info.a[0].b/c is missing");
});
