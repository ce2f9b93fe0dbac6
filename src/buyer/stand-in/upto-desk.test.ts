import { expect, test } from "bun:test";
import { encodeHeader } from "../../payments/codec.ts";
import { createUptoDesk, readUptoCharge } from "./upto-desk.ts";

test("who refused is asked again an hour later; others are not concerned", () => {
  let now_ms = 0;
  const desk = createUptoDesk(() => now_ms);
  expect(desk.isTaken("https://a.example")).toBe(true);
  desk.noteRefused("https://a.example");
  expect([desk.isTaken("https://a.example"), desk.isTaken("https://b.example")]).toEqual([false, true]);
  now_ms = 3_599_999;
  expect(desk.isTaken("https://a.example")).toBe(false);
  now_ms = 3_600_000;
  expect(desk.isTaken("https://a.example")).toBe(true);
});

const MOST = 8_000n;
test.each<[what: string, said: object | string, charge: bigint]>([
  ["less than was signed", { success: true, amount: "3100" }, 3_100n],
  ["all of it", { success: true, amount: "8000" }, MOST],
  ["more than was signed", { success: true, amount: "8001" }, MOST],
  ["nothing", { success: true, amount: "0" }, MOST],
  ["no number", { success: true, amount: "-1" }, MOST],
  ["that it failed", { success: false, amount: "1" }, MOST],
  ["no amount", { success: true }, MOST],
  ["what cannot be read", "%%%", MOST],
])("a peer that says %s is taken at the most that it can have charged", (_what, said, charge) => {
  const value = typeof said === "string" ? said : encodeHeader(said);
  expect(readUptoCharge({ headers: new Headers({ "PAYMENT-RESPONSE": value }) }, MOST)).toBe(charge);
});
