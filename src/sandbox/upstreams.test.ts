import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { createStillClock } from "../../test/helpers/still-clock.ts";
import { defineSimulator } from "../catalog/simulator.ts";
import { createSandbox } from "./index.ts";
import { FAULTS } from "./upstreams.ts";

const DAY_MS = 86_400_000;
const clock = createStillClock(Date.UTC(2026, 0, 15));
const lists = defineSimulator({
  provider: "lists",
  respond: ({ method, path, query, body, chain }, world) => ({
    json: {
      asked: { method, path, size: query.get("size"), body: body ?? null, chain: chain ?? null },
      at_ms: world.now(),
      price: world.price("BTC"),
      rows: [{ bids: [[1, 2]], name: "a" }],
    },
  }),
});
const plain = defineSimulator({ provider: "plain", respond: () => ({ json: { height: 7 }, status: 203 }) });
const words = defineSimulator({ provider: "words", respond: () => ({ text: "812345" }) });
const evm = defineSimulator({ ...lists, provider: "evm_rpc" });
const solana = defineSimulator({ ...lists, provider: "solana_rpc" });
const sandbox = await createSandbox({ seed: "s", clock, simulators: [lists, plain, words, evm, solana] });
afterAll(() => sandbox.stop());

async function control(path: string, body?: unknown): Promise<{ providers: Record<string, unknown> }> {
  const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const response = await sandbox.handleControl(new Request(`http://localhost/__sandbox${path}`, init));
  expect(response.status).toBe(200);
  return (await response.json()) as { providers: Record<string, unknown> };
}
const setFault = (provider: string, fault: string, times?: number) =>
  control("/upstreams", { provider, fault, ...(times === undefined ? {} : { times }) });
const get = (provider: string, path = "/x?size=3") => fetch(`${sandbox.upstreamUrl(provider)}${path}`);
const getText = async (provider: string) => (await get(provider)).text();

beforeEach(async () => {
  await setFault("*", "none");
});

describe("the simulated upstreams", () => {
  test("pass path, query and method to the simulator of that provider", async () => {
    const response = await get("lists", "/v1/a/b?size=3");
    expect(response.headers.get("content-type")).toBe("application/json");
    const asked = { method: "GET", path: "/v1/a/b", size: "3", body: null, chain: null };
    expect(await response.json()).toMatchObject({ asked, at_ms: clock.now(), price: sandbox.world.price("BTC") });
  });

  test("pass on the JSON body of a POST, and the chain's name", async () => {
    const post = (url: string) => fetch(url, { method: "POST", body: JSON.stringify({ id: 1 }) });
    const ethereum = await post(sandbox.rpcUrl("ethereum"));
    expect(await ethereum.json()).toMatchObject({ asked: { method: "POST", body: { id: 1 }, chain: "ethereum" } });
    const before = await control("/upstreams");
    expect(await (await post(sandbox.rpcUrl("solana"))).json()).toMatchObject({ asked: { chain: "solana" } });
    const after = await control("/upstreams");
    expect(after.providers.evm_rpc).toEqual(before.providers.evm_rpc);
    expect(after.providers.solana_rpc).not.toEqual(before.providers.solana_rpc);
  });

  test("keep the simulator's status, and send text as text", async () => {
    expect((await get("plain")).status).toBe(203);
    expect(await getText("words")).toBe("812345");
  });

  test("refuse a provider that is not simulated", async () => {
    expect((await get("nobody")).status).toBe(404);
    expect((await fetch(`${sandbox.url}/elsewhere`)).status).toBe(404);
  });

  test.each(["{", "nonsense", "[1,"])("answer 400 with JSON to the body %p", async (body) => {
    for (const url of [`${sandbox.upstreamUrl("lists")}/x`, sandbox.rpcUrl("ethereum")]) {
      const response = await fetch(url, { method: "POST", body });
      expect(response.status).toBe(400);
      expect(await response.json()).toEqual({ error: expect.any(String) });
    }
  });

  test("count the calls of each provider, failed ones too", async () => {
    const { providers } = await control("/upstreams");
    await get("plain");
    await setFault("plain", "http500");
    await get("plain");
    const calls = (providers.plain as { calls: number }).calls + 2;
    expect((await control("/upstreams")).providers).toMatchObject({ plain: { calls, fault: "http500" } });
  });

  test("accept simulators of plugins loaded later", async () => {
    expect((await get("late")).status).toBe(404);
    sandbox.addSimulators([{ ...words, provider: "late" }]);
    expect(await getText("late")).toBe("812345");
  });
});

describe("a fault", () => {
  test("http429 asks to wait a second", async () => {
    await setFault("lists", "http429");
    const response = await get("lists");
    expect([response.status, response.headers.get("retry-after")]).toEqual([429, "1"]);
  });

  test("http500 is a server error", async () => {
    await setFault("lists", "http500");
    expect((await get("lists")).status).toBe(500);
  });

  test("html is a page with status 200", async () => {
    await setFault("lists", "html");
    const response = await get("lists");
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/html"]);
    expect(await response.text()).toStartWith("<!doctype html>");
  });

  test("truncated is the first half of the real body", async () => {
    const whole = await getText("lists");
    await setFault("lists", "truncated");
    expect(await getText("lists")).toBe(whole.slice(0, Math.floor(whole.length / 2)));
  });

  test("wrong_shape is JSON with nothing of the real body", async () => {
    await setFault("lists", "wrong_shape");
    const body = (await (await get("lists")).json()) as Record<string, unknown>;
    expect(Object.keys(body).filter((name) => ["asked", "at_ms", "price", "rows"].includes(name))).toEqual([]);
  });

  test("empty empties every list, and the whole answer if it has no list", async () => {
    await setFault("*", "empty");
    expect(await (await get("lists")).json()).toMatchObject({ at_ms: clock.now(), rows: [] });
    expect(await (await get("plain")).json()).toEqual({});
    expect(await getText("words")).toBe("");
  });

  test("null_values keeps the shape and loses every value", async () => {
    await setFault("*", "null_values");
    expect(await (await get("lists")).json()).toEqual({
      asked: { method: null, path: null, size: null, body: null, chain: null },
      at_ms: null,
      price: null,
      rows: [{ bids: [[null, null]], name: null }],
    });
    expect(await getText("words")).toBe("null");
  });

  test("stale shows the simulator a world of eight days ago", async () => {
    await setFault("lists", "stale");
    const at_ms = clock.now() - 8 * DAY_MS;
    expect(await (await get("lists")).json()).toMatchObject({ at_ms, price: sandbox.world.price("BTC", at_ms) });
  });

  test("timeout never answers, and ends when the client leaves", async () => {
    await setFault("lists", "timeout");
    const asked = fetch(sandbox.upstreamUrl("lists"), { signal: AbortSignal.timeout(40) });
    expect(await asked.catch(({ name }: Error) => name)).toBe("TimeoutError");
    await setFault("lists", "none");
    expect((await get("lists")).status).toBe(200);
  });

  test("with a number of times ends after as many calls", async () => {
    await setFault("lists", "http500", 2);
    const statuses: number[] = [];
    for (let call = 0; call < 4; call += 1) statuses.push((await get("lists")).status);
    expect(statuses).toEqual([500, 500, 200, 200]);
    expect((await control("/upstreams")).providers).toMatchObject({ lists: { fault: "none" } });
  });

  test("concerns the provider it names, or all of them", async () => {
    await setFault("plain", "http500");
    expect([(await get("plain")).status, (await get("lists")).status]).toEqual([500, 200]);
    await setFault("*", "http429");
    const { providers } = await control("/upstreams");
    expect(Object.values(providers).map((one) => (one as { fault: string }).fault)).not.toContain("none");
  });

  test.each(FAULTS.filter((fault) => !["none", "stale", "timeout"].includes(fault)))(
    "%s also strikes a chain's RPC",
    async (fault) => {
      const ask = async () => {
        const response = await fetch(sandbox.rpcUrl("ethereum"), { method: "POST", body: "{}" });
        return [response.status, await response.text()];
      };
      const good = await ask();
      await setFault("evm_rpc", fault);
      expect(await ask()).not.toEqual(good);
    },
  );
});

describe("while the clock is moved on", () => {
  test("the node's calls are answered without a socket, with the same counts and faults", async () => {
    const seen: unknown[] = [];
    const moving = await createSandbox({
      seed: "s",
      clock,
      simulators: [lists, plain, evm],
      async liveTo() {
        const ask = (url: string, init: RequestInit = {}) => moving.fetch(url, init);
        // No server listens at that address any more.
        await moving.stop();
        seen.push(await (await ask(`${moving.upstreamUrl("plain")}/x`)).json());
        const body = JSON.stringify({ id: 1 });
        seen.push(await (await ask(moving.rpcUrl("base"), { method: "POST", body })).json());
        seen.push((await ask(`${moving.upstreamUrl("lists")}/x`)).status);
        const cut = new AbortController();
        const waiting = ask(`${moving.upstreamUrl("evm_rpc")}/x`, { signal: cut.signal });
        cut.abort();
        seen.push(await waiting.then(() => "answered").catch(({ name }: Error) => name));
      },
    });
    const post = (path: string, body: unknown) =>
      moving.handleControl(new Request(`http://x/__sandbox${path}`, { method: "POST", body: JSON.stringify(body) }));
    expect(await (await moving.fetch(`${moving.upstreamUrl("plain")}/x`, {})).json()).toEqual({ height: 7 });
    await post("/upstreams", { provider: "lists", fault: "http500" });
    await post("/clock", { advance_s: 60 });
    expect(seen).toMatchObject([{ height: 7 }, { asked: { method: "POST", chain: "base" } }, 500, "AbortError"]);
    const counted = await moving.handleControl(new Request("http://x/__sandbox/upstreams"));
    expect(await counted.json()).toMatchObject({ providers: { plain: { calls: 2 }, lists: { calls: 1 } } });
    await expect(moving.fetch(`${moving.upstreamUrl("plain")}/x`, {})).rejects.toThrow();
  });
});
