import { describe, expect, test } from "bun:test";
import { decodeFunctionData, encodeFunctionData, type Hex, parseAbi } from "viem";
import { addHeaders, createGateBench, namedHeader, signPayment, v2Header } from "../helpers/gate-bench.ts";
import { refusalOf } from "../helpers/refusal.ts";

const ID = "order-0123456789abcdef";
const IDEMPOTENCY = { "idempotency-key": "8e03978e-40d5-43e8-bc93-6894a57f9324" };
type Bench = ReturnType<typeof createGateBench>;
type Signed = Awaited<ReturnType<typeof signPayment>>;

const keyOf = ({ body }: { readonly body: string }): string => JSON.parse(body).api_key;
const isKey = (text: string): boolean => /^ink_[0-9A-Za-z]{43}$/.test(text);

const abi = parseAbi([
  "function transferWithAuthorization(address, address, uint256, uint256, uint256, bytes32, bytes)",
]);

/** What a facilitator puts on the chain for everybody to read. */
const calldataOf = ({ authorization: a, signature }: Signed): Hex =>
  encodeFunctionData({
    abi,
    functionName: "transferWithAuthorization",
    args: [
      a.from,
      a.to,
      BigInt(a.value),
      BigInt(a.validAfter),
      BigInt(a.validBefore),
      a.nonce as Hex,
      signature as Hex,
    ],
  });

/** The whole signed payment, from nothing but the chain. */
function rebuild(calldata: Hex) {
  const { args } = decodeFunctionData({ abi, data: calldata });
  const [from, to, value, validAfter, validBefore, nonce, signature] = args;
  const numbers = { value: String(value), validAfter: String(validAfter), validBefore: String(validBefore) };
  return { signature, authorization: { from, to, ...numbers, nonce } };
}

const watchers: [string, (rebuilt: object, account: Bench) => Headers][] = [
  ["with nothing else", (rebuilt) => v2Header(rebuilt)],
  ["with a name of his own", (rebuilt) => namedHeader(rebuilt, "watcher-0123456789abcdef")],
  ["with a key of his own", (rebuilt) => addHeaders(v2Header(rebuilt), { "idempotency-key": "a".repeat(36) })],
  ["with empty words", (rebuilt) => addHeaders(v2Header(rebuilt), { "idempotency-key": "" })],
];

describe("a key that was bought is not for who reads the chain:", () => {
  test.each(watchers)("a payment rebuilt from its transaction, %s, gets the answer without it", async (_what, send) => {
    for (const words of [{}, IDEMPOTENCY]) {
      const bench = createGateBench();
      const payload = await signPayment({ account: bench.newPayer() });
      const bought = await bench.buy(addHeaders(v2Header(payload), words), "/plan");
      expect(isKey(keyOf(bought))).toBe(true);
      const seen = await bench.buy(send(rebuild(calldataOf(payload)), bench), "/plan");
      expect(seen.headers["X-Idempotent-Replay"]).toBe("true");
      expect(seen.body).not.toContain("ink_");
      expect(JSON.parse(seen.body)).toMatchObject({ api_key: "withheld", key_id: JSON.parse(bought.body).key_id });
      expect(JSON.parse(seen.body).recovery).toContain("Idempotency-Key");
    }
  });

  test("nor for who joins the purchase while it is in flight", async () => {
    const bench = createGateBench();
    const payload = await signPayment({ account: bench.newPayer() });
    const broadcast = Promise.withResolvers<Hex>();
    const released = Promise.withResolvers<void>();
    bench.script.settle = async () => {
      broadcast.resolve(calldataOf(payload));
      await released.promise;
      return { kind: "settled", transaction: "0xtx" };
    };
    const first = bench.buy(addHeaders(v2Header(payload), IDEMPOTENCY), "/plan");
    const rebuilt = rebuild(await broadcast.promise);
    const watcher = bench.buy(v2Header(rebuilt), "/plan");
    const buyer = bench.buy(addHeaders(v2Header(payload), IDEMPOTENCY), "/plan");
    released.resolve();
    expect(isKey(keyOf(await first))).toBe(true);
    expect(keyOf(await buyer)).toBe(keyOf(await first));
    expect((await watcher).body).not.toContain("ink_");
    expect(bench.calls.settle).toBe(1);
  });

  test("nor for who takes a payment whose settlement failed in public", async () => {
    const bench = createGateBench();
    const payload = await signPayment({ account: bench.newPayer() });
    const works = bench.script.settle;
    bench.script.settle = async () => ({ kind: "refused", reason: "transaction_reverted", transaction: "0xdead" });
    const sent = addHeaders(v2Header(payload), IDEMPOTENCY);
    await refusalOf(bench.buy(sent, "/plan"));
    bench.script.settle = works;
    const rebuilt = v2Header(rebuild(calldataOf(payload)));
    expect((await refusalOf(bench.buy(rebuilt, "/plan"))).code).toBe("payment_already_used");
    expect((await refusalOf(bench.buy(rebuilt, "/one"))).code).toBe("payment_already_used");
    expect(isKey(keyOf(await bench.buy(sent, "/plan")))).toBe(true);
  });

  test("nor does his look take away what the buyer never got", async () => {
    const bench = createGateBench();
    const account = bench.newPayer();
    const payload = await signPayment({ account });
    bench.script.settle = async () => ({ kind: "unknown", cause: "timeout" });
    await refusalOf(bench.buy(v2Header(payload), "/plan"));
    bench.script.chain = { paid: true };
    expect((await bench.buy(v2Header(rebuild(calldataOf(payload))), "/plan")).body).not.toContain("ink_");
    bench.clock.advance(12 * 3_600_000);
    const again = await bench.buy(v2Header(await signPayment({ account }, bench.clock.now())), "/plan");
    expect(again.headers["X-Duplicate-Payment-Avoided"]).toBe("true");
    expect(isKey(keyOf(again))).toBe(true);
    expect(bench.calls.settle).toBe(1);
  });
});

describe("its buyer gets it again", () => {
  const proofs: [string, (payload: Signed) => Headers][] = [
    ["Idempotency-Key", (payload) => addHeaders(v2Header(payload), IDEMPOTENCY)],
    ["payment identifier", (payload) => namedHeader(payload, ID)],
  ];
  test.each(proofs)("with the same %s as the first time", async (_what, send) => {
    const bench = createGateBench();
    const payload = await signPayment({ account: bench.newPayer() });
    const first = await bench.buy(send(payload), "/plan");
    expect(isKey(keyOf(first))).toBe(true);
    expect((await bench.buy(send(payload), "/plan")).body).toBe(first.body);
  });

  test("with a freshly signed payment of the same wallet, which is not settled", async () => {
    const bench = createGateBench();
    const account = bench.newPayer();
    const first = await bench.buy(v2Header(await signPayment({ account })), "/plan");
    const again = await bench.buy(v2Header(await signPayment({ account })), "/plan");
    expect(again.body).toBe(first.body);
    expect(bench.calls.settle).toBe(1);
  });

  test("but not by an Idempotency-Key that can be guessed", async () => {
    const bench = createGateBench();
    const payload = await signPayment({ account: bench.newPayer() });
    const guessable = addHeaders(v2Header(payload), { "idempotency-key": "order-1" });
    await bench.buy(guessable, "/plan");
    expect((await bench.buy(guessable, "/plan")).body).not.toContain("ink_");
  });

  test("and the key is in neither the ledger's answer nor its purchase", async () => {
    const bench = createGateBench();
    const payload = await signPayment({ account: bench.newPayer() });
    const bought = await bench.buy(v2Header(payload), "/plan");
    const row = await bench.rowOf(payload);
    expect(row?.state).toBe("settled");
    expect(isKey(keyOf(bought))).toBe(true);
    expect(JSON.stringify([row?.answer, row?.purchase])).not.toContain(keyOf(bought));
    expect((await bench.ledger.audit()).findings).toEqual([]);
  });
});

test("a plan bought for a key one has is another purchase than one for a new key", async () => {
  const bench = createGateBench();
  const account = bench.newPayer();
  const first = await bench.buy(v2Header(await signPayment({ account })), "/plan");
  const key = { "x-api-key": keyOf(first) };
  const topped = await bench.buy(addHeaders(v2Header(await signPayment({ account })), key), "/plan");
  expect(JSON.parse(topped.body)).toMatchObject({ topped_up: true, key_id: JSON.parse(first.body).key_id });
  expect(bench.calls.settle).toBe(2);
});
