import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { createStillClock } from "../../test/helpers/still-clock.ts";
import { defineSimulator } from "../catalog/simulator.ts";
import { createSandbox } from "./index.ts";

const NOW_MS = Date.UTC(2026, 0, 15);
const NETWORK = "eip155:84532";
const PAYER = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const told: unknown[] = [];
const clock = createStillClock(NOW_MS);
const sandbox = await createSandbox({
  seed: "s",
  clock,
  simulators: [defineSimulator({ provider: "kraken", respond: () => ({ json: {} }) })],
  onLimits: (enabled) => told.push(enabled),
  onClock: () => told.push(clock.now()),
});
afterAll(() => sandbox.stop());
beforeEach(() => {
  clock.set(NOW_MS);
  told.length = 0;
});

async function ask(method: string, path: string, body?: string): Promise<{ status: number; body: unknown }> {
  const init = { method, ...(body === undefined ? {} : { body }) };
  const response = await sandbox.handleControl(new Request(`http://localhost:8402${path}`, init));
  expect(response.headers.get("content-type")).toBe("application/json");
  return { status: response.status, body: await response.json() };
}
const post = (path: string, body: unknown) => ask("POST", `/__sandbox${path}`, JSON.stringify(body));

describe("the control door", () => {
  test("lists every door with its URL", async () => {
    const { status, body } = await ask("GET", "/__sandbox");
    expect(status).toBe(200);
    expect(body).toMatchObject({
      world: sandbox.url,
      facilitator: `${sandbox.url}/facilitator/main`,
      base_sepolia_rpc: `${sandbox.url}/rpc/base_sepolia`,
      solana_rpc: `${sandbox.url}/rpc/solana_devnet`,
      upstreams: { kraken: `${sandbox.url}/upstream/kraken` },
      control: Object.fromEntries(
        ["fund", "account", "chain", "facilitator", "upstreams", "clock", "limits"].map((name) => [
          name,
          `http://localhost:8402/__sandbox/${name}`,
        ]),
      ),
    });
    expect(sandbox.url).toStartWith("http://127.0.0.1:");
  });

  test("gives test money, as digits or as a number, and adds it to the balance", async () => {
    const { body } = await post("/fund", { network: NETWORK, address: PAYER, amount_atomic: "18000000000000000000" });
    expect(body).toEqual({ balances: { [NETWORK]: { [PAYER.toLowerCase()]: "18000000000000000000" } } });
    await post("/fund", { network: NETWORK, address: PAYER, amount_atomic: 5 });
    const chain = await ask("GET", "/__sandbox/chain");
    expect(chain.body).toMatchObject({
      balances: { [NETWORK]: { [PAYER.toLowerCase()]: "18000000000000000005" } },
      settlements: [],
    });
    expect(sandbox.readChain().balance(PAYER)).toBe("18000000000000000005");
  });

  test("shows a facilitator's calls and mode", async () => {
    const { body } = await ask("GET", "/__sandbox/facilitator");
    expect(body).toEqual({
      supported_calls: 0,
      verify_calls: 0,
      settle_calls: 0,
      mode: { verify: "ok", settle: "ok", delay_ms: 0, times: null, dead: false },
    });
  });

  test("removes accounts only on chains that have them", async () => {
    const address = "GyGKxMyg1p9SsHfm15MkNUu1u9TN2JtTspcdmrtGUdse";
    const setting = { network: "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1", address, state: "missing" };
    expect(await post("/account", setting)).toEqual({ status: 200, body: setting });
    for (const wrong of [{ network: NETWORK }, { address: PAYER }, { state: "gone" }]) {
      expect((await post("/account", { ...setting, ...wrong })).status).toBe(422);
    }
  });

  test("sets a fault of an upstream and shows it", async () => {
    const { body } = await post("/upstreams", { provider: "kraken", fault: "html", times: 3 });
    expect(body).toEqual({ providers: { kraken: { calls: 0, fault: "html" } } });
    expect(await ask("GET", "/__sandbox/upstreams")).toEqual({ status: 200, body });
  });

  test.each([
    ["an ISO time", { now: "2026-02-01T00:00:00Z" }, Date.UTC(2026, 1, 1)],
    ["milliseconds", { now: Date.UTC(2025, 0, 1) }, Date.UTC(2025, 0, 1)],
    ["seconds ahead", { advance_s: 90.5 }, NOW_MS + 90_500],
    ["seconds back", { advance_s: -60 }, NOW_MS - 60_000],
  ])("sets the clock by %s, and says so to whom it concerns", async (_, setting, now_ms) => {
    const { status, body } = await post("/clock", setting);
    expect([status, body]).toEqual([200, { now: new Date(now_ms).toISOString() }]);
    expect([clock.now(), sandbox.world.now()]).toEqual([now_ms, now_ms]);
    expect(told).toEqual([now_ms]);
    expect((await ask("GET", "/__sandbox/clock")).body).toEqual(body);
  });

  test("switches rate limits", async () => {
    expect((await post("/limits", { enabled: true })).body).toEqual({ enabled: true });
    await post("/limits", { enabled: false });
    expect(told).toEqual([true, false]);
  });

  test.each([
    ["GET", "/__sandbox/"],
    ["GET", "/__sandbox/fund"],
    ["POST", "/__sandbox"],
    ["DELETE", "/__sandbox/chain"],
    ["GET", "/__sandbox/nothing"],
    ["GET", "/elsewhere"],
  ])("knows no %s %s", async (method, path) => {
    expect((await ask(method, path)).status).toBe(404);
  });
});

describe("the control door refuses and changes nothing at", () => {
  const fund = { network: NETWORK, address: PAYER, amount_atomic: "1" };
  const refused: readonly (readonly [path: string, body: unknown])[] = [
    ["/fund", { ...fund, amount_atomic: "-1" }],
    ["/fund", { ...fund, amount_atomic: "01" }],
    ["/fund", { ...fund, amount_atomic: "1.5" }],
    ["/fund", { ...fund, amount_atomic: 1.5 }],
    ["/fund", { ...fund, amount_atomic: -1 }],
    ["/fund", { ...fund, amount_atomic: 1e21 }],
    ["/fund", { ...fund, amount_atomic: "9".repeat(32) }],
    ["/fund", { ...fund, network: "eip155:8453" }],
    ["/fund", { ...fund, address: "0x12" }],
    ["/fund", { ...fund, extra: 1 }],
    ["/fund", { network: NETWORK }],
    ["/facilitator", { verify: "reject:" }],
    ["/facilitator", { verify: "fail:x" }],
    ["/facilitator", { settle: "reject:x" }],
    ["/facilitator", { settle: "never" }],
    ["/facilitator", { delay_ms: -1 }],
    ["/facilitator", { delay_ms: 120_001 }],
    ["/facilitator", { times: 0 }],
    ["/facilitator", { dead: "yes" }],
    ["/facilitator", { name: "../x" }],
    ["/upstreams", { provider: "nobody", fault: "html" }],
    ["/upstreams", { provider: "kraken", fault: "slow" }],
    ["/upstreams", { provider: "kraken", fault: "html", times: 1.5 }],
    ["/upstreams", { provider: "kraken" }],
    ["/clock", {}],
    ["/clock", { now: 0, advance_s: 1 }],
    ["/clock", { now: "soon" }],
    ["/clock", { now: -1 }],
    ["/clock", { now: 253_402_300_799_001 }],
    ["/clock", { now: "+275760-09-13T00:00:00.000Z" }],
    ["/clock", { advance_s: "1" }],
    ["/clock", { advance_s: -1_000_000_000, now: null }],
    ["/limits", { enabled: 1 }],
    ["/limits", {}],
    ["/limits", null],
    ["/limits", "x".repeat(65_537)],
  ];
  const named = refused.map(([path, body]) => [path, JSON.stringify(body).slice(0, 120), body] as const);
  test.each(named)("%s the body %s", async (path, _, body) => {
    const readAll = async () => [
      await ask("GET", "/__sandbox/chain"),
      await ask("GET", "/__sandbox/facilitator"),
      await ask("GET", "/__sandbox/upstreams"),
      clock.now(),
    ];
    const before = await readAll();
    expect(await post(path, body)).toEqual({ status: 422, body: { error: expect.any(String) } });
    expect([await readAll(), told]).toEqual([before, []]);
  });

  test("/clock a time out of range", async () => {
    clock.set(500_000_000);
    expect((await post("/clock", { advance_s: -1_000_000_000 })).status).toBe(422);
    expect(clock.now()).toBe(500_000_000);
  });

  test("/limits a body that is not JSON", async () => {
    expect((await ask("POST", "/__sandbox/limits", "{")).status).toBe(422);
    expect((await ask("POST", "/__sandbox/limits", "")).status).toBe(422);
  });

  test("/facilitator the twenty-first name", async () => {
    for (let number = 0; number < 19; number += 1) {
      expect((await post("/facilitator", { name: `f${number}` })).status).toBe(200);
    }
    expect((await post("/facilitator", { name: "one-more" })).status).toBe(422);
    expect((await post("/facilitator", { name: "f3" })).status).toBe(200);
  });
});

test("all missing members of a body are named at once", async () => {
  const { status, body } = await post("/fund", { adress: PAYER });
  expect(status).toBe(422);
  for (const name of ["/network", "/address", "/amount_atomic"]) expect(JSON.stringify(body)).toContain(name);
});
