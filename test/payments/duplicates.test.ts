import { afterAll, describe, expect, test } from "bun:test";
import { addHeaders, createGateBench, signPayment, v2Header } from "../helpers/gate-bench.ts";
import { refusalOf } from "../helpers/refusal.ts";

type Bench = ReturnType<typeof createGateBench>;
const TEN_MINUTES_MS = 600_000;
const DAY_MS = 86_400_000;
const again = { "x-allow-duplicate": "true" };

/** A chain on which an authorization was used, or was not. */
function startChain() {
  const state = { used: false, calls: 0 };
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      state.calls += 1;
      const { method } = (await request.json()) as { method: string };
      const block = { number: "0x10", timestamp: `0x${Math.floor(Date.now() / 1000).toString(16)}` };
      const word = `0x${(state.used ? "1" : "0").padStart(64, "0")}`;
      return Response.json({ result: method === "eth_call" ? word : method === "eth_getLogs" ? [] : block });
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, state, stop: () => server.stop(true) };
}
const chain = startChain();
afterAll(() => chain.stop());

const sign = async (bench: Bench, account: ReturnType<Bench["newPayer"]>) =>
  v2Header(await signPayment({ account }, bench.clock.now()));

/** A buyer whose settlement was unclear and has turned out well; nobody gave him his answer yet. */
async function leaveUndelivered(bench: Bench, path: string) {
  const account = bench.newPayer();
  const works = bench.script.settle;
  bench.script.settle = async () => ({ kind: "unknown", cause: "timeout" });
  const payload = await signPayment({ account }, bench.clock.now());
  await refusalOf(bench.buy(v2Header(payload), path));
  bench.script.settle = works;
  const id = (await bench.rowOf(payload))?.id ?? "";
  const settled = { chain_transaction: `0x${id}`, label: "organic", delivered: false } as const;
  await bench.ledger.payments.settle(id, settled);
  return { account, id };
}

describe("an answer that was paid for and never handed over", () => {
  test.each([
    ["/one", TEN_MINUTES_MS],
    ["/plan", DAY_MS],
  ])("of %s waits for its buyer %i ms, then he buys anew", async (path, window_ms) => {
    for (const [wait_ms, settles] of [
      [window_ms - 1_000, 1],
      [window_ms, 2],
    ] as const) {
      const bench = createGateBench();
      const { account } = await leaveUndelivered(bench, path);
      bench.clock.advance(wait_ms);
      const answer = await bench.buy(await sign(bench, account), path);
      expect(answer.headers["X-Duplicate-Payment-Avoided"]).toBe(settles === 1 ? "true" : undefined);
      expect(bench.calls.settle).toBe(settles);
    }
  });

  test("is handed over once; after that only the short guard holds", async () => {
    const bench = createGateBench();
    const { account } = await leaveUndelivered(bench, "/one");
    await bench.buy(await sign(bench, account));
    bench.clock.advance(61_000);
    await bench.buy(await sign(bench, account));
    expect(bench.calls.settle).toBe(2);
  });

  test("stays where it is when the buyer hangs up again", async () => {
    const bench = createGateBench();
    const { account, id } = await leaveUndelivered(bench, "/one");
    await bench.buy(await sign(bench, account), "/one", AbortSignal.abort());
    expect((await bench.ledger.payments.get(id))?.delivered).toBe(false);
    await bench.buy(await sign(bench, account));
    expect((await bench.ledger.payments.get(id))?.delivered).toBe(true);
    expect(bench.calls.settle).toBe(1);
  });
});

describe("a wallet that the first payment emptied", () => {
  const empty = async () => ({ kind: "invalid", reason: "invalid_exact_evm_insufficient_balance" }) as const;

  test.each(["/one", "/plan"])("still gets what it paid for at %s", async (path) => {
    chain.state.used = false;
    const bench = createGateBench({ rpc_urls: [chain.url] });
    const { account } = await leaveUndelivered(bench, path);
    bench.script.verify = empty;
    const answer = await bench.buy(await sign(bench, account), path);
    expect(answer.headers["X-Duplicate-Payment-Avoided"]).toBe("true");
    expect(answer.body.includes("ink_")).toBe(path === "/plan");
    expect(bench.calls.settle).toBe(1);
  });

  test("gets nothing for a signature that is not its own", async () => {
    const bench = createGateBench({ rpc_urls: [chain.url] });
    const { account } = await leaveUndelivered(bench, "/one");
    bench.script.verify = empty;
    const forged = { ...(await signPayment({ account })), signature: `0x${"11".repeat(65)}` };
    expect((await refusalOf(bench.buy(v2Header(forged)))).code).toBe("insufficient_funds");
  });

  test("gets nothing by an authorization that the chain has seen, which anybody may hold", async () => {
    chain.state.used = true;
    const bench = createGateBench({ rpc_urls: [chain.url] });
    const { account } = await leaveUndelivered(bench, "/plan");
    bench.script.verify = empty;
    expect((await refusalOf(bench.buy(await sign(bench, account), "/plan"))).code).toBe("insufficient_funds");
  });

  test("gets data but no key where no chain can be asked", async () => {
    for (const rpc_urls of [[], ["http://127.0.0.1:1"]]) {
      const bench = createGateBench({ rpc_urls });
      const data = await leaveUndelivered(bench, "/one");
      const plan = await leaveUndelivered(bench, "/plan");
      bench.script.verify = empty;
      await bench.buy(await sign(bench, data.account), "/one");
      const refused = await refusalOf(bench.buy(await sign(bench, plan.account), "/plan"));
      expect(refused.code).toBe("insufficient_funds");
    }
  });

  test("gets nothing that was handed over before, and nothing when it never paid", async () => {
    const bench = createGateBench({ rpc_urls: [chain.url] });
    const account = bench.newPayer();
    await bench.buy(await sign(bench, account));
    bench.script.verify = empty;
    expect((await refusalOf(bench.buy(await sign(bench, account)))).code).toBe("insufficient_funds");
    expect((await refusalOf(bench.buy(await sign(bench, bench.newPayer())))).code).toBe("insufficient_funds");
  });
});

describe("X-Allow-Duplicate", () => {
  test("buys again what was bought a moment ago", async () => {
    const bench = createGateBench();
    const account = bench.newPayer();
    const first = await bench.buy(await sign(bench, account));
    const second = await bench.buy(addHeaders(await sign(bench, account), again));
    expect(second.headers["X-Receipt-Id"]).not.toBe(first.headers["X-Receipt-Id"]);
    expect(bench.calls.settle).toBe(2);
  });

  test("does not settle while an earlier payment is open", async () => {
    const bench = createGateBench();
    const account = bench.newPayer();
    bench.script.settle = async () => ({ kind: "unknown", cause: "timeout" });
    await refusalOf(bench.buy(await sign(bench, account)));
    const second = bench.buy(addHeaders(await sign(bench, account), again));
    expect((await refusalOf(second)).code).toBe("settlement_unknown");
    expect(bench.calls.settle).toBe(1);
  });

  test.each(["1", "TRUE", "yes", ""])('means nothing as "%s"', async (value) => {
    const bench = createGateBench();
    const account = bench.newPayer();
    await bench.buy(await sign(bench, account));
    await bench.buy(addHeaders(await sign(bench, account), { "x-allow-duplicate": value }));
    expect(bench.calls.settle).toBe(1);
  });
});

test("many new payments for one request wait for the first without taking the slots it needs", async () => {
  const bench = createGateBench();
  const account = bench.newPayer();
  // A signature of another length is left to the facilitator, so all of these overtake the first.
  const longer = async () => ({ ...(await signPayment({ account })), signature: `0x${"11".repeat(66)}` });
  const others = await Promise.all(Array.from({ length: 39 }, async () => v2Header(await longer())));
  const headers = [await sign(bench, account), ...others];
  const answers = await Promise.all(headers.map((one) => bench.buy(one)));
  expect(new Set(answers.map((one) => one.headers["X-Receipt-Id"])).size).toBe(1);
  expect(bench.calls).toMatchObject({ settle: 1, produce: 1 });
});
