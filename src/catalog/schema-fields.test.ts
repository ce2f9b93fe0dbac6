import { expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { listWatchable } from "./schema-fields.ts";

test("figures, texts and flags at any depth, and lists whose rows have something to tell them apart", () => {
  const fields = listWatchable(
    Type.Object({
      value: Type.Union([Type.Integer(), Type.Null()]),
      state: Type.Union([Type.Literal("ebb"), Type.Literal("flood")]),
      is_open: Type.Boolean(),
      wind: Type.Object({ knots: Type.Number() }),
      rows: Type.Array(Type.Object({ id: Type.String(), parts: Type.Array(Type.Number()) })),
      plain: Type.Array(Type.Number()),
    }),
  );
  expect(fields).toEqual([
    { path: "value", kind: "number", choices: null, by: [] },
    { path: "state", kind: "string", choices: ["ebb", "flood"], by: [] },
    { path: "is_open", kind: "boolean", choices: null, by: [] },
    { path: "rows", kind: "list", choices: null, by: ["id"] },
    { path: "wind.knots", kind: "number", choices: null, by: [] },
  ]);
});
