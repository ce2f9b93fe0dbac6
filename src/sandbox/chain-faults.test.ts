import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { createStillClock } from "../../test/helpers/still-clock.ts";
import { networkById } from "../payments/networks/table.ts";
import { createSandbox } from "./index.ts";
import { inventTransaction } from "./invent-transaction.ts";

const NOW_MS = Date.UTC(2026, 0, 15);
const NETWORK = "eip155:84532";
const sandbox = await createSandbox({ seed: "s", clock: createStillClock(NOW_MS), simulators: [] });
afterAll(() => sandbox.stop());
const steer = async (body: unknown) => {
  const init = { method: "POST", body: JSON.stringify(body) };
  const response = await sandbox.handleControl(new Request("http://localhost/__sandbox/chain", init));
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};
afterEach(() => steer({ network: NETWORK, fault: "none" }));

const ask = (signal?: AbortSignal, chain = "base_sepolia") =>
  fetch(sandbox.rpcUrl(chain), {
    method: "POST",
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_getBlockByNumber", params: ["latest", false] }),
    ...(signal ? { signal } : {}),
  });
const timeOf = async (response: Response) =>
  Number(((await response.json()) as { result: { timestamp: string } }).result.timestamp) * 1000;

describe("a chain that is hard to read", () => {
  test.each<[fault: string, status: number]>([
    ["http500", 500],
    ["http429", 429],
    ["garbage", 200],
  ])("answers %s as often as it was told, then as ever", async (fault, status) => {
    expect(await steer({ network: NETWORK, fault, times: 2 })).toMatchObject({
      status: 200,
      body: { faults: { [NETWORK]: { fault, times: 2, lag_s: 30 } } },
    });
    for (const response of [await ask(), await ask()]) {
      expect(response.status).toBe(status);
      expect(await response.text()).not.toContain("result");
    }
    expect(await timeOf(await ask())).toBe(NOW_MS);
  });

  test("does not answer until its caller hangs up", async () => {
    await steer({ network: NETWORK, fault: "timeout", times: 1 });
    await expect(ask(AbortSignal.timeout(20))).rejects.toThrow();
    expect(await timeOf(await ask())).toBe(NOW_MS);
  });

  test("is behind by as much as the fault says", async () => {
    await steer({ network: NETWORK, fault: "lag", lag_s: 600 });
    expect(await timeOf(await ask())).toBe(NOW_MS - 600_000);
  });

  test("does not spoil another chain", async () => {
    await steer({ network: NETWORK, fault: "http500" });
    const other = await fetch(sandbox.rpcUrl("solana_devnet"), {
      method: "POST",
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "getHealth" }),
    });
    expect(await other.json()).toMatchObject({ result: "ok" });
  });

  test.each([
    { network: NETWORK, fault: "tired" },
    { network: "eip155:1", fault: "lag" },
    { network: NETWORK, fault: "lag", lag_s: -1 },
    { network: NETWORK, fault: "lag", times: 0 },
    { fault: "lag" },
  ])("is not made so by a faulty word: %o", async (body) => {
    expect((await steer(body)).status).toBe(422);
    expect((await ask()).status).toBe(200);
  });
});

describe("an invented transaction", () => {
  const networks = [NETWORK, "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1", "algorand:SGO1GKSzyE7IEPItTxCByw9x8FmnrCDe"];

  test.each(networks)("of %s looks like a real one, and differs each time", (network) => {
    const pattern = networkById(network)?.transaction_pattern ?? /never/;
    const found = ["a", "b", "c"].map((seed) => inventTransaction(network, seed));
    for (const one of found) expect(one).toMatch(pattern);
    expect(new Set(found).size).toBe(3);
  });
});
