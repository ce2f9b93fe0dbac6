import { describe, expect, test } from "bun:test";
import { encodeHeader } from "../../src/payments/codec.ts";
import { type BenchOptions, createGateBench, signPayment, v2Header } from "../helpers/gate-bench.ts";
import { refusalOf } from "../helpers/refusal.ts";
import { createStillClock } from "../helpers/still-clock.ts";

type Bench = ReturnType<typeof createGateBench>;
/** Time stands still, so that a slow machine counts as a fast one does. */
const openBench = (more: BenchOptions = {}) => createGateBench({ clock: createStillClock(Date.now()), ...more });
const ip = (n: number) => `192.0.2.${n}`;
const limitOf = (client: string) => client;

const send = (bench: Bench, headers: Headers, client = ip(1)) =>
  refusalOf(bench.buy(headers, "/one", new AbortController().signal, client));
/** A signature of the right length that is nobody's. */
const forge = async (bench: Bench) =>
  v2Header({ ...(await signPayment({ account: bench.newPayer() })), signature: `0x${"11".repeat(64)}1b` });
const refuse = (bench: Bench, reason: string) => {
  bench.script.verify = async () => ({ kind: "invalid", reason });
};
const fieldsOf = (refusal: object): { field: string; ok: boolean; received: string; expected: string }[] =>
  (refusal as { diagnostic?: { fields?: [] } }).diagnostic?.fields ?? [];

const OF_V1 = { x402Version: 1, scheme: "exact", network: "eip155:84532", payload: { authorization: {} } };
const OF_V2 = { x402Version: 2, accepted: { scheme: "exact", network: "eip155:84532" }, payload: {} };

describe("a client that sends a faulty payment again", () => {
  test("is told field by field what was received and what was expected, and where to read on", async () => {
    const bench = openBench({ limitOf });
    const headers = v2Header(await signPayment({ account: bench.newPayer(), value: 9_999n }));
    const first = await send(bench, headers);
    expect(fieldsOf(first)).toEqual([]);
    const second = await send(bench, headers);
    expect(second).toMatchObject({
      code: "amount_mismatch",
      diagnostic: { docs: "http://localhost/errors#amount_mismatch" },
    });
    const wrong = fieldsOf(second).filter(({ ok }) => !ok);
    expect(wrong).toEqual([{ field: "payload: amount", received: "9999", expected: "10000", ok: false }]);
    const names = fieldsOf(second).map(({ field }) => field);
    expect(names).toContain("accepted.payTo");
    expect(names).toContain("accepted.extra.name");
  });

  test("is told so for another payment with the same fault too, and for one that cannot be read", async () => {
    const bench = openBench({ limitOf });
    const late = async () => v2Header(await signPayment({ account: bench.newPayer(), validBefore_s: 1_000 }));
    await send(bench, await late());
    const wrong = fieldsOf(await send(bench, await late())).filter(({ ok }) => !ok);
    expect(wrong.map(({ field }) => field)).toEqual(["payload: valid until"]);
    await send(bench, new Headers({ "payment-signature": "{}" }));
    const unread = await send(bench, new Headers({ "payment-signature": "{}" }));
    expect(fieldsOf(unread).map(({ field }) => field)).toContain("payload");
  });

  test.each([
    ["no base64", "{}", ["header", "x402Version", "scheme", "network", "accepted", "payload"]],
    ["no payment", encodeHeader({}), ["x402Version", "scheme", "network", "accepted", "payload"]],
    ["of version 1, whole but for its payload", encodeHeader({ ...OF_V1, payload: null }), ["accepted", "payload"]],
    ["of version 1, for what is not offered", encodeHeader({ ...OF_V1, scheme: "upto" }), ["scheme", "accepted"]],
    ["of another version", encodeHeader({ ...OF_V2, x402Version: 3 }), ["x402Version"]],
    ["for another network", encodeHeader({ ...OF_V2, accepted: { scheme: "exact", network: "x:y" } }), ["network"]],
  ])("is told what a header lacks that holds %s", async (_, header, wrong) => {
    const bench = openBench({ limitOf });
    const headers = new Headers({ "payment-signature": header });
    await send(bench, headers);
    const fields = fieldsOf(await send(bench, headers));
    expect(fields.filter(({ ok }) => !ok).map(({ field }) => field)).toEqual(wrong);
    expect(fields).toHaveLength(6);
  });

  test("is told whether its payment is good from now on, and for ten seconds more", async () => {
    const clock = createStillClock(Date.UTC(2026, 0, 1));
    const now_s = clock.now() / 1000;
    const wrongOf = async (times: { readonly validBefore_s?: number; readonly validAfter_s?: number }) => {
      const bench = openBench({ limitOf, clock });
      const headers = v2Header(await signPayment({ account: bench.newPayer(), value: 9_999n, ...times }, clock.now()));
      await send(bench, headers);
      const wrong = fieldsOf(await send(bench, headers)).filter(({ ok }) => !ok);
      return wrong.map(({ field }) => field).filter((field) => field !== "payload: amount");
    };
    expect(await wrongOf({ validBefore_s: now_s + 10 })).toEqual([]);
    expect(await wrongOf({ validBefore_s: now_s + 9 })).toEqual(["payload: valid until"]);
    expect(await wrongOf({ validAfter_s: now_s })).toEqual([]);
    expect(await wrongOf({ validAfter_s: now_s + 1 })).toEqual(["payload: validAfter"]);
  });

  test("is refused at the sixth time in a minute, but only for this sender", async () => {
    const bench = openBench({ limitOf });
    refuse(bench, "invalid_exact_evm_insufficient_balance");
    const headers = v2Header(await signPayment({ account: bench.newPayer() }));
    const codes: string[] = [];
    for (let n = 0; n < 7; n++) codes.push((await send(bench, headers)).code);
    expect(codes).toEqual([...Array(5).fill("insufficient_funds"), "rate_limited", "rate_limited"]);
    expect(bench.calls.verify).toBe(5);
    expect((await send(bench, headers, ip(2))).code).toBe("insufficient_funds");
    bench.clock.advance(60_000);
    bench.script.verify = async () => ({ kind: "valid" });
    await bench.buy(headers, "/one", new AbortController().signal, ip(1));
  });

  test("costs one signature check and one question to a facilitator, however often it comes", async () => {
    const bench = openBench();
    refuse(bench, "invalid_exact_evm_signature");
    const headers = await forge(bench);
    for (let n = 0; n < 20; n++) expect((await send(bench, headers)).code).toBe("invalid_payment");
    expect(bench.calls.verify).toBe(1);
  });
});

describe("signatures that are not the payer's", () => {
  test("are looked at 60 times a minute per address, and good ones are never counted", async () => {
    const bench = openBench({ limitOf, duplicate_guard_ms: 0 });
    refuse(bench, "something_else");
    let limited = 0;
    for (let n = 0; n < 61; n++) {
      limited += (await send(bench, await forge(bench))).code === "rate_limited" ? 1 : 0;
    }
    expect(limited).toBe(1);
    expect(bench.calls.verify).toBe(60);
    bench.script.verify = async () => ({ kind: "valid" });
    for (let n = 0; n < 70; n++) {
      await bench.buy(v2Header(await signPayment({ account: bench.newPayer() })), "/one", undefined, ip(2));
    }
    expect((await send(bench, await forge(bench), ip(1))).code).toBe("rate_limited");
    bench.clock.advance(1_000);
    refuse(bench, "reason_9");
    expect((await send(bench, await forge(bench), ip(1))).code).toBe("invalid_payment");
  });

  test("are bounded over all addresses together", async () => {
    const bench = openBench({ limitOf });
    const payload = await signPayment({ account: bench.newPayer() });
    refuse(bench, "something_else");
    const seen = new Map<string, number>();
    for (let n = 0; n < 1_210; n++) {
      const nonce = `0x${n.toString(16).padStart(64, "0")}`;
      const forged = { signature: `0x${"11".repeat(64)}1b`, authorization: { ...payload.authorization, nonce } };
      const { code } = await send(bench, v2Header(forged), ip(n % 100));
      seen.set(code, (seen.get(code) ?? 0) + 1);
    }
    expect(Object.fromEntries(seen)).toEqual({ invalid_payment: 1_200, overloaded: 10 });
  });

  test("of a client that is not limited are looked at without end", async () => {
    const bench = openBench();
    refuse(bench, "reason");
    for (let n = 0; n < 70; n++) expect((await send(bench, await forge(bench))).code).toBe("invalid_payment");
  });
});
