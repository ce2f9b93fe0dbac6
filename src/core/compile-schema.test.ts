import { expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { compileSchema } from "./compile-schema.ts";

test("a schema is compiled once, with the first value, and says what does not match", () => {
  const schema = Type.Object({ n: Type.Number() });
  const check = compileSchema(schema);
  expect(compileSchema(schema)).toBe(check);
  expect([check.Check({ n: 1 }), check.Check({ n: "1" })]).toEqual([true, false]);
  expect(check.Errors({ n: "1" }).First()).toMatchObject({ path: "/n" });
});

test("a schema nothing can be made of is refused with the first value", () => {
  const check = compileSchema({ odd: true } as never);
  expect(() => check.Check(1)).toThrow();
});
