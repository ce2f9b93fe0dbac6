import { describe, expect, test } from "bun:test";
import { NodeError } from "../../src/core/errors.ts";
import { addHeaders, createGateBench, namedHeader, signPayment, v2Header } from "../helpers/gate-bench.ts";
import { refusalOf } from "../helpers/refusal.ts";
import { createStillClock } from "../helpers/still-clock.ts";

const NAME = { "idempotency-key": "8e03978e-40d5-43e8-bc93-6894a57f9324" };
const ID = "order-0123456789abcdef";
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const here = (client = "192.0.2.1") => [undefined, undefined, client] as const;

async function sell(words: Readonly<Record<string, string>> = {}) {
  const free: string[] = [];
  const clock = createStillClock(Date.now());
  const bench = createGateBench({ clock, countFree: (client) => void free.push(client) });
  const account = bench.newPayer();
  const payload = await signPayment({ account });
  const first = await bench.buy(addHeaders(v2Header(payload), words));
  return { bench, account, payload, first, free };
}

describe("what a public payment paid for is handed out without proof", () => {
  test("five times, each counted as a free call of its sender", async () => {
    const { bench, payload, first, free } = await sell();
    for (let n = 1; n <= 5; n++) {
      expect((await bench.buy(v2Header(payload), ...here(`192.0.2.${n}`))).body).toBe(first.body);
    }
    expect(free).toEqual(["192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4", "192.0.2.5"]);
    expect(await refusalOf(bench.buy(v2Header(payload)))).toMatchObject({
      code: "payment_already_used",
      diagnostic: { reason: "proof_needed" },
    });
    expect(bench.calls).toMatchObject({ verify: 1, settle: 1, produce: 1 });
  });

  test("for ten minutes", async () => {
    const { bench, payload, first } = await sell();
    bench.clock.advance(10 * MINUTE_MS - 1);
    expect((await bench.buy(v2Header(payload))).body).toBe(first.body);
    bench.clock.advance(1);
    expect(await refusalOf(bench.buy(v2Header(payload)))).toMatchObject({ code: "payment_already_used" });
  });

  test("not at all to a caller who has used up the free calls", async () => {
    const bench = createGateBench({
      countFree: () => {
        throw new NodeError("rate_limited", "free calls");
      },
    });
    const payload = await signPayment({ account: bench.newPayer() });
    await bench.buy(v2Header(payload));
    expect(await refusalOf(bench.buy(v2Header(payload)))).toMatchObject({ code: "rate_limited" });
  });
});

describe("its buyer has it for 24 hours, as often as he likes,", () => {
  test.each<[string, (payload: object) => Headers]>([
    ["with the Idempotency-Key of the first time", (payload) => addHeaders(v2Header(payload), NAME)],
    ["with its payment-identifier", (payload) => namedHeader(payload, ID)],
  ])("%s", async (_what, send) => {
    const bench = createGateBench({ clock: createStillClock(Date.now()) });
    const payload = await signPayment({ account: bench.newPayer() });
    const first = await bench.buy(send(payload));
    bench.clock.advance(DAY_MS - 1_000);
    for (let n = 0; n < 7; n++) expect((await bench.buy(send(payload))).body).toBe(first.body);
    bench.clock.advance(1_000);
    expect(await refusalOf(bench.buy(send(payload)))).toMatchObject({ code: "payment_already_used" });
  });

  test("not with another name than that of the first time", async () => {
    const { bench, payload } = await sell(NAME);
    bench.clock.advance(10 * MINUTE_MS);
    const other = addHeaders(v2Header(payload), { "idempotency-key": "another-0123456789" });
    expect(await refusalOf(bench.buy(other))).toMatchObject({ code: "payment_already_used" });
  });

  const ask = (bench: Awaited<ReturnType<typeof sell>>["bench"], id: string, headers: Headers) =>
    bench.access.recovery.find(id, { headers, client: "192.0.2.1" });

  test("with a newly signed payment of the same wallet, which is not settled", async () => {
    const { bench, account, payload, first } = await sell();
    const id = (await bench.rowOf(payload))?.id ?? "";
    bench.clock.advance(DAY_MS - MINUTE_MS);
    const sign = async (more: object = {}) => v2Header(await signPayment({ account, ...more }, bench.clock.now()));
    for (let n = 0; n < 7; n++) {
      const found = await ask(bench, id, await sign());
      expect(found).toMatchObject({ state: "settled", answer: first.body });
    }
    expect(bench.calls).toMatchObject({ verify: 1, settle: 1 });
    expect(await ask(bench, id, await sign({ value: 9_999n }))).toBeNull();
    expect(await ask(bench, id, await sign({ to: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8" }))).toBeNull();
    expect(await ask(bench, id, await sign({ validBefore_s: 1_000 }))).toBeNull();
    expect(await ask(bench, id, v2Header(await signPayment({ account: bench.newPayer() })))).toBeNull();
    bench.clock.advance(MINUTE_MS);
    expect(await ask(bench, id, await sign())).toMatchObject({ state: "settled", answer: null });
  });

  test("a payment that was settled for something else is public, and shows nobody's wallet", async () => {
    const { bench, account, payload } = await sell();
    const other = v2Header(await signPayment({ account }));
    await bench.buy(other, "/two");
    expect(await ask(bench, (await bench.rowOf(payload))?.id ?? "", other)).toBeNull();
  });

  test("the payment alone tells the recovery door its outcome, and its answer as seldom as elsewhere", async () => {
    const { bench, payload, first } = await sell();
    const id = (await bench.rowOf(payload))?.id ?? "";
    for (let n = 0; n < 5; n++) {
      expect(await ask(bench, id, v2Header(payload))).toMatchObject({ state: "settled", answer: first.body });
    }
    expect(await ask(bench, id, v2Header(payload))).toMatchObject({ state: "settled", answer: null });
    expect(await refusalOf(bench.buy(v2Header(payload)))).toMatchObject({ code: "payment_already_used" });
  });
});
