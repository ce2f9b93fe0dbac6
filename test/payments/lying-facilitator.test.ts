import { afterAll, describe, expect, test } from "bun:test";
import { serializeErc6492Signature } from "viem";
import { createGateBench, signPayment, v2Header } from "../helpers/gate-bench.ts";
import { refusalOf } from "../helpers/refusal.ts";

type Bench = ReturnType<typeof createGateBench>;
const keyOf = ({ body }: { readonly body: string }): string => JSON.parse(body).api_key;
const isKey = (text: string): boolean => /^ink_[0-9A-Za-z]{43}$/.test(text);

/** A chain on which every account is a contract wallet that answers what the test says. */
function startChain() {
  const state = { code: "0x6001", answer: `0x1626ba7e${"0".repeat(56)}` as string | null, asked: 0 };
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { method } = (await request.json()) as { method: string };
      state.asked += 1;
      if (method === "eth_getCode") return Response.json({ result: state.code });
      if (state.answer === null) return Response.json({ error: { code: 3, message: "execution reverted" } });
      return Response.json({ result: state.answer });
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, state, stop: () => server.stop(true) };
}
const chain = startChain();
afterAll(() => chain.stop());

/** In somebody's name, signed by nobody: what the chain alone could tell. */
const forge = async (bench: Bench, payload: { authorization: { from: string } }, signature: string) => {
  const { authorization } = await signPayment({ account: bench.newPayer() });
  return v2Header({ signature, authorization: { ...authorization, from: payload.authorization.from } });
};
const NOBODYS = `0x${"11".repeat(64)}1b`;
const LONG = `0x${"11".repeat(200)}`;
const WRAPPED = serializeErc6492Signature({
  address: `0x${"22".repeat(20)}`,
  data: "0xabcdef",
  signature: `0x${"11".repeat(65)}`,
});

async function sellPlan(rpc_urls: readonly string[] = []) {
  const bench = createGateBench({ rpc_urls });
  const payload = await signPayment({ account: bench.newPayer() });
  const bought = await bench.buy(v2Header(payload), "/plan");
  expect(isKey(keyOf(bought))).toBe(true);
  return { bench, payload, bought };
}

describe("a facilitator that says yes to everything hands out nobody's key:", () => {
  test.each([
    ["65 bytes", NOBODYS],
    ["a contract wallet's form", LONG],
    ["that of a wallet that does not exist yet", WRAPPED],
  ])("a forgery of %s gets the answer without it, and leaves it to its buyer", async (_what, signature) => {
    const { bench, payload } = await sellPlan();
    await bench.ledger.payments.markUndelivered((await bench.rowOf(payload))?.id ?? "");
    const seen = await bench.buy(await forge(bench, payload, signature), "/plan");
    expect(seen.body).not.toContain("ink_");
    expect(keyOf(seen)).toBe("withheld");
    expect((await bench.rowOf(payload))?.delivered).toBe(false);
    expect(bench.calls.settle).toBe(1);
  });

  test("nor to who uses the name of a payer that settled before", async () => {
    const { bench, payload } = await sellPlan();
    const seen = await bench.buy(await forge(bench, payload, NOBODYS), "/plan");
    expect(seen.body).not.toContain("ink_");
  });

  test("where the wallet itself can be asked, its no is final, for data too", async () => {
    for (const path of ["/plan", "/one"]) {
      const bench = createGateBench({ rpc_urls: [chain.url] });
      const payload = await signPayment({ account: bench.newPayer() });
      await bench.buy(v2Header(payload), path);
      for (const answer of [`0x${"0".repeat(64)}`, null]) {
        chain.state.answer = answer;
        expect(await refusalOf(bench.buy(await forge(bench, payload, LONG), path))).toMatchObject({
          code: "invalid_payment",
          diagnostic: { reason: "invalid_signature" },
        });
      }
      // An account without code signs with its own key or not at all.
      chain.state.code = "0x";
      expect((await refusalOf(bench.buy(await forge(bench, payload, NOBODYS), path))).code).toBe("invalid_payment");
      chain.state.code = "0x6001";
      expect(bench.calls.settle).toBe(1);
    }
  });

  test("its yes opens what its owner bought", async () => {
    const { bench, payload, bought } = await sellPlan([chain.url]);
    chain.state.answer = `0x1626ba7e${"0".repeat(56)}`;
    const again = await bench.buy(await forge(bench, payload, LONG), "/plan");
    expect(keyOf(again)).toBe(keyOf(bought));
  });

  test("an endpoint that gives no word opens data and no key", async () => {
    const { bench, payload } = await sellPlan(["http://127.0.0.1:9"]);
    expect(keyOf(await bench.buy(await forge(bench, payload, LONG), "/plan"))).toBe("withheld");
  });

  test("the payer's own key opens it, as before", async () => {
    const bench = createGateBench();
    const account = bench.newPayer();
    const bought = await bench.buy(v2Header(await signPayment({ account })), "/plan");
    const again = await bench.buy(v2Header(await signPayment({ account })), "/plan");
    expect(keyOf(again)).toBe(keyOf(bought));
    expect(bench.calls.settle).toBe(1);
  });
});
