import { expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { nameSubject } from "./subject.ts";

const params = Type.Object({
  symbol: Type.Union([Type.Literal("BTC"), Type.Literal("ETH")]),
  detail: Type.Union([Type.Literal("summary"), Type.Literal("full")]),
  address: Type.String(),
  target: Type.String(),
  q: Type.String(),
  rows: Type.Integer(),
});

test("the subject of a sample leaves out names and amounts of its parameters", () => {
  expect(nameSubject({ symbol: "BTC", detail: "summary", rows: 3 }, params)).toBe("BTC");
  expect(nameSubject({ rows: 3, address: "0x52908400098527886e0f7030069857d2e4169ee7" }, params)).toBe("0x5290…9ee7");
  expect(nameSubject({ target: "https://seller.example/mempool?a=b" }, params)).toBe("seller.example");
  expect(nameSubject({ detail: "full", rows: 3, constructor: 7 }, params)).toBe("");
  const long = nameSubject({ q: "what is the most important change of the day" }, params);
  expect([long.length <= 40, long.endsWith("…")]).toEqual([true, true]);
});
