import { expect, test } from "bun:test";
import {
  createDebitPacker,
  createDebitUnpacker,
  type DebitCall,
  type DebitResult,
  packDebitResults,
  unpackDebitResults,
} from "./thread-debits.ts";

const callOf = (id: number, body: string, more: Partial<DebitCall["charge"]> = {}): DebitCall => ({
  id,
  charge: {
    key: { id: 7, daily_cap: null },
    root: { account: "credit:key_1" },
    product: "a",
    amount: 10n,
    now_ms: 5,
    door: "mcp",
    ...more,
  },
  answer: { body, name: null },
});

test("debits arrive as they were sent, whatever is in them", () => {
  const [pack, unpack] = [createDebitPacker(), createDebitUnpacker()];
  const beyond = 2n ** 53n + 1n;
  const sent: DebitCall[] = [
    callOf(1, '{"a":"\u2028\\" ü \ud83d\ude00"}'),
    callOf(2, "b", { amount: beyond, key: { id: 8, daily_cap: beyond }, root: { account: null } }),
    {
      ...callOf(3, "b", { key: { id: 9, daily_cap: 0n } }),
      answer: { body: "b", name: { name: "n", fingerprint: "f" } },
    },
  ];
  expect(unpack(pack(sent))).toEqual(sent);
  expect(unpack(pack(sent))).toEqual(sent);
});

test("an answer is sent once, and again when too many were kept", () => {
  const [pack, unpack] = [createDebitPacker(), createDebitUnpacker()];
  const long = "x".repeat(3_000_000);
  expect(pack([callOf(1, long)]).length).toBeGreaterThan(long.length);
  const first = createDebitPacker();
  for (const body of [long, `${long}y`, long, long, "short"]) {
    const sent = [callOf(1, body), callOf(2, body)];
    expect(unpack(first(sent))).toEqual(sent);
  }
  expect(first([callOf(3, "short")]).length).toBeLessThan(200);
});

test("a thread that does not know an answer says so", () => {
  const pack = createDebitPacker();
  pack([callOf(1, "a")]);
  expect(() => createDebitUnpacker()(pack([callOf(2, "a")]))).toThrow("do not know answer");
});

test("results arrive as they were given", () => {
  const results: DebitResult[] = [
    { id: 1, result: { ok: true, call_id: 1_790_000_000_000_001, available: 2n ** 60n } },
    { id: 2, result: { ok: false, why: "daily_cap", available: 0n } },
    { id: 3, result: { ok: false, why: "insufficient_credits", available: -5n } },
  ];
  expect(unpackDebitResults(packDebitResults(results))).toEqual(results);
});
