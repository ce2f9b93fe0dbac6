import { expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import type { CatalogProduct } from "../../catalog/catalog.ts";
import { compileSchema } from "../../core/compile-schema.ts";
import { type AnswerRules, readPeerProduct } from "./read-answer.ts";

const NOW_MS = Date.UTC(2026, 10, 28, 12);
const data_check = compileSchema(Type.Object({ rate: Type.Number() }, { additionalProperties: false }));
const product = { id: "rate", data_check, ttl_ms: 60_000, max_age_ms: 3_600_000 } as unknown as CatalogProduct;
const RULES: AnswerRules = {
  product,
  node_id: "in1peer",
  not_through: ["in1own", "in1asks"],
  sandbox: false,
  now_ms: NOW_MS,
};
const at = (ago_ms: number): string => new Date(NOW_MS - ago_ms).toISOString();
const GOOD = {
  product: "rate",
  node_id: "in1peer",
  as_of: at(1_000),
  generated_at: at(500),
  delayed: false,
  sources: [],
  warnings: [],
  data: { rate: 1.5 },
};
const { data, ...others } = GOOD;
const via = (node_id: string, answer: object = others) => ({
  node_id,
  url: "https://c.example",
  receipt_id: "rcp_1",
  receipt: "a.b.c",
  seal_url: "https://c.example/s",
  response_sha256: "a".repeat(64),
  answer,
});
const read = (change: object, rules: Partial<AnswerRules> = {}) =>
  readPeerProduct(JSON.stringify({ ...others, ...change, data: "data" in change ? change.data : data }), {
    ...RULES,
    ...rules,
  });

test("what this node would have sold itself is taken, from the peer or one further", () => {
  expect(read({})).toMatchObject({ as_of_ms: NOW_MS - 1_000, generated_at_ms: NOW_MS - 500 });
  expect(read({ via: via("in1third") })).toMatchObject({ envelope: { via: { node_id: "in1third" } } });
  expect(read({ sandbox: true }, { sandbox: true })).toMatchObject({ envelope: { sandbox: true } });
});

test.each([
  ["data of another schema", { data: { rate: "high" } }, "does not match the schema"],
  ["a member it does not know", { more: 1 }, "no answer of a node"],
  ["another product", { product: "price" }, "another product"],
  ["another node", { node_id: "in1else" }, "another product or node"],
  ["a preview", { delayed: true }, "no answer of a node"],
  ["a sandbox", { sandbox: true }, "a sandbox's"],
  ["no time", { as_of: "soon" }, "of when"],
  ["a time to come", { as_of: at(-300_000) }, "to come"],
  ["old data", { as_of: at(3_600_001) }, "too old"],
  ["an answer made long ago", { generated_at: at(200_000) }, "too long ago"],
  ["this node's own answer", { via: via("in1own") }, "circle"],
  ["the answer of the node that asks", { via: via("in1asks") }, "circle"],
  ["a long way", { via: via("in1third", { ...others, via: via("in1fourth") }) }, "too many nodes"],
])("%s is not sold", (_, change, why) => {
  expect(read(change)).toContain(why);
});

test("bytes that do not follow from the members are not sold: nobody could check the peer's signature", () => {
  expect(readPeerProduct(JSON.stringify(GOOD, null, 1), RULES)).toContain("bytes");
  expect(readPeerProduct("{", RULES)).toContain("no answer");
});
