import { describe, expect, test } from "bun:test";
import type { GuardedAnswer } from "intel-node";
import { refusalOf } from "../../../../test/helpers/refusal.ts";
import { assertBelowCeiling, readAmount } from "./ceiling.ts";
import { computeAgentCall } from "./compute.ts";
import { parseTarget } from "./fetch.ts";

const answer = (body: string, headers: Record<string, string>): GuardedAnswer => ({
  ok: true,
  url: "https://peer.example/x",
  status: 200,
  tls: null,
  hops: [],
  headers: new Headers(headers),
  body: new TextEncoder().encode(body),
});
const compute = (body: string, headers: Record<string, string>) =>
  computeAgentCall({
    read_at_ms: 0,
    target: "https://peer.example/x",
    took_ms: 5,
    is_unwanted: false,
    peer_identity: null,
    passed_on: null,
    answer: answer(body, headers),
  }).data;

describe("a peer's answer", () => {
  test("is JSON, text, or nothing but a digest", () => {
    expect(compute('{"a":1}', { "content-type": "application/json" })).toMatchObject({
      body: '{"a":1}',
      body_is_json: true,
    });
    expect(compute("hello", { "content-type": "text/plain" })).toMatchObject({ body: "hello", body_is_json: false });
    expect(compute("%PDF", { "content-type": "application/pdf" })).toMatchObject({ body: null });
  });

  test("has the digest of its bytes", () => {
    // sha256("abc"), FIPS 180-4.
    expect(compute("abc", {}).body_sha256).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  });

  test("carries a receipt only where one can be read", () => {
    const receipt = btoa('{"success":true}');
    expect(compute("{}", { "payment-response": receipt }).peer_payment.receipt).toBe('{"success":true}');
    expect(compute("{}", { "payment-response": "???" }).peer_payment.receipt).toBeNull();
  });
});

describe("a target", () => {
  test("that is a bare host is asked for its manifest", () => {
    expect(parseTarget("https://peer.example")).toBe("https://peer.example/.well-known/x402.json");
    expect(parseTarget("https://peer.example/a?b=1#c")).toBe("https://peer.example/a?b=1");
  });

  test("can hold an escape without meaning", () => {
    expect(parseTarget("https://peer.example/%E0%A4%A")).toBe("https://peer.example/%E0%A4%A");
  });

  test.each(["https://a:b@peer.example/", "x"])("%s is refused", async (target) => {
    expect((await refusalOf((async () => parseTarget(target))())).status).toBe(422);
  });
});

describe("a buyer's ceiling", () => {
  const encode = (value: unknown) => btoa(JSON.stringify(value));
  const evm = (value: string, amount = value) =>
    encode({ x402Version: 2, accepted: { amount }, payload: { authorization: { value }, signature: "0x" } });
  const refused = async (payment: string, ceiling: string) =>
    (await refusalOf((async () => assertBelowCeiling([undefined, payment], ceiling))())).status;

  test("is checked by its signed content, whatever is beside it", async () => {
    expect(readAmount(evm("20000"))).toBe(20_000n);
    expect(readAmount(evm("20000", "1"))).toBe(20_000n);
    expect(readAmount(encode({ accepted: { amount: "7" }, payload: { transaction: "AQ==" } }))).toBe(7n);
    expect(await refused(evm("20000", "1"), "19999")).toBe(422);
    expect(() => assertBelowCeiling([evm("20000")], "20000")).not.toThrow();
    expect(() => assertBelowCeiling([evm("20000")], undefined)).not.toThrow();
  });

  test.each([
    "bm90IEpTT04=",
    btoa("{}"),
    btoa('{"payload":{"authorization":{"value":"-5"}}}'),
    btoa("[1]"),
    btoa("null"),
  ])("refuses %s, whose amount is unknown", async (payment) => {
    expect(readAmount(payment)).toBeNull();
    expect(await refused(payment, "1000000")).toBe(422);
  });
});
