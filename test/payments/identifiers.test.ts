import { describe, expect, test } from "bun:test";
import { addHeaders, createGateBench, namedHeader, signPayment, v2Header } from "../helpers/gate-bench.ts";
import { refusalOf } from "../helpers/refusal.ts";

const ID = "order-0123456789abcdef";
type Bench = ReturnType<typeof createGateBench>;

const named = async (bench: Bench, account: ReturnType<Bench["newPayer"]>, id: unknown = ID) =>
  namedHeader(await signPayment({ account }, bench.clock.now()), id);

describe("a payment with a buyer's own name", () => {
  test("is settled once: a newly signed one of that name gets the stored answer, long after the guard", async () => {
    const bench = createGateBench();
    const account = bench.newPayer();
    const first = await bench.buy(await named(bench, account));
    bench.clock.advance(3_600_000);
    const second = await bench.buy(await named(bench, account));
    expect(second.body).toBe(first.body);
    expect(second.headers["X-Duplicate-Payment-Avoided"]).toBe("true");
    expect(bench.calls).toMatchObject({ verify: 2, settle: 1, produce: 1 });
  });

  test("for another request is a conflict, whether that was settled or is open, and nothing is charged", async () => {
    const bench = createGateBench();
    const account = bench.newPayer();
    await bench.buy(await named(bench, account));
    const refused = await refusalOf(bench.buy(await named(bench, account), "/two"));
    expect(refused).toMatchObject({ code: "identifier_conflict", status: 409 });
    const other = bench.newPayer();
    bench.script.settle = async () => ({ kind: "unknown", cause: "timeout" });
    await refusalOf(bench.buy(await named(bench, other)));
    expect((await refusalOf(bench.buy(await named(bench, other), "/two"))).code).toBe("identifier_conflict");
    expect(bench.calls.settle).toBe(2);
  });

  test("waits for the one in flight under the same name", async () => {
    const bench = createGateBench({ duplicate_guard_ms: 0 });
    const account = bench.newPayer();
    const released = Promise.withResolvers<void>();
    bench.script.produce = async () => {
      await released.promise;
      return { body: "{}", as_of_ms: 0, expires_at_ms: 0 };
    };
    const headers = await Promise.all(Array.from({ length: 20 }, () => named(bench, account)));
    const answers = headers.map((one) => bench.buy(one));
    released.resolve();
    const receipts = (await Promise.all(answers)).map((one) => one.headers["X-Receipt-Id"]);
    expect(new Set(receipts).size).toBe(1);
    expect(bench.calls).toMatchObject({ settle: 1, produce: 1 });
  });

  test("is one payment even for a buyer who allows duplicates", async () => {
    const bench = createGateBench();
    const account = bench.newPayer();
    const again = { "x-allow-duplicate": "true" };
    const send = async () => bench.buy(addHeaders(await named(bench, account), again));
    const [first, second] = await Promise.all([send(), send()]);
    expect(second?.headers["X-Receipt-Id"]).toBe(first?.headers["X-Receipt-Id"] ?? "");
    expect(bench.calls.settle).toBe(1);
  });

  test("is another one for another payer", async () => {
    const bench = createGateBench();
    await bench.buy(await named(bench, bench.newPayer()));
    await bench.buy(await named(bench, bench.newPayer()), "/two");
    expect(bench.calls.settle).toBe(2);
  });

  test("can be used again when it was never charged", async () => {
    const bench = createGateBench();
    const account = bench.newPayer();
    const works = bench.script.settle;
    bench.script.settle = async () => ({ kind: "refused", reason: "transaction_failed", transaction: "" });
    await refusalOf(bench.buy(await named(bench, account)));
    bench.script.settle = works;
    expect((await bench.buy(await named(bench, account), "/two")).headers["X-Receipt-Id"]).toBeDefined();
  });

  test("is not believed before the payment was verified: a forger neither takes it nor reads by it", async () => {
    const bench = createGateBench();
    const account = bench.newPayer();
    const forge = async () =>
      namedHeader({ ...(await signPayment({ account })), signature: `0x${"11".repeat(70)}` }, ID);
    bench.script.verify = async () => ({ kind: "invalid", reason: "invalid_exact_evm_signature" });
    expect((await refusalOf(bench.buy(await forge(), "/two"))).code).toBe("invalid_payment");
    bench.script.verify = async () => ({ kind: "valid" });
    await bench.buy(await named(bench, account));
    bench.script.verify = async () => ({ kind: "invalid", reason: "invalid_exact_evm_signature" });
    expect((await refusalOf(bench.buy(await forge()))).code).toBe("invalid_payment");
    expect(bench.calls).toMatchObject({ settle: 1, produce: 1 });
  });

  test.each([
    ["short", "abc"],
    ["long", "a".repeat(129)],
    ["spaced", "order 0123456789abcdef"],
    ["a number", 12345],
  ])("that is %s is refused and says so", async (_what, id) => {
    const bench = createGateBench();
    const refusal = await refusalOf(bench.buy(await named(bench, bench.newPayer(), id)));
    expect(refusal).toMatchObject({ code: "invalid_payment", diagnostic: { reason: "invalid_payment_identifier" } });
    expect(bench.calls.verify).toBe(0);
  });

  test.each([
    ["null", null],
    ["a text", "x"],
    ["a list", []],
    ["without info", { "payment-identifier": {} }],
  ])("may be left out: extensions that are %s mean nothing", async (_what, extensions) => {
    const bench = createGateBench();
    const payload = await signPayment({ account: bench.newPayer() });
    const whole = JSON.parse(atob(v2Header(payload).get("payment-signature") ?? ""));
    const text = Buffer.from(JSON.stringify({ ...whole, extensions })).toString("base64");
    await bench.buy(new Headers({ "payment-signature": text }));
    expect(bench.calls.settle).toBe(1);
  });
});
