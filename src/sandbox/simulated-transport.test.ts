import { afterAll, describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { createTestProvider, createTestUpstream, getFailure } from "../../test/helpers/fake-upstream.ts";
import { createStillClock } from "../../test/helpers/still-clock.ts";
import type { ProviderDefinition } from "../catalog/provider.ts";
import type { UpstreamRequest } from "../catalog/request.ts";
import { defineSimulator, type SimulatedAnswer, simulateOAuth } from "../catalog/simulator.ts";
import { createSandbox } from "./index.ts";

const clock = createStillClock(Date.UTC(2026, 0, 15));
const CSV = "data;preço\n2026-01-14;1.234,56\n";
const ANSWERS: Readonly<Record<string, SimulatedAnswer>> = {
  "/latin1": { text: CSV, charset: "latin1" },
  "/utf16": { text: CSV, charset: "utf-16" },
  "/bytes": { bytes: Uint8Array.from([0, 255, 7]) },
  "/zip": { zip: { "a.csv": CSV, "b.bin": Uint8Array.from([1]) }, charset: "latin1" },
  "/gzip": { gzip: CSV },
  "/moved": { redirect: "/latin1", host: "files" },
  "/tagged": { json: { value: 1 }, headers: { etag: '"1"' } },
};
const files = defineSimulator({
  provider: "files",
  respond: ({ path, host, body }) => {
    if (path === "/form") return { json: { host: host ?? null, body: body ?? null } };
    return ANSWERS[path] ?? { status: 404, json: { error: "no such file" } };
  },
});
const keyed = defineSimulator({
  provider: "keyed",
  respond: (request, world) =>
    simulateOAuth(request, world, { path: "/token", expires_in_s: 600 }) ?? { json: { value: 7 } },
});
const metered = defineSimulator({
  provider: "metered",
  quota: { calls: 2, per_s: 60 },
  respond: () => ({ json: { value: 1 } }),
});
const streamed = defineSimulator({
  provider: "streamed",
  respond: () => ({ json: {} }),
  connect: ({ path }) => {
    if (path !== "/ws") return null;
    let subscribed = 0;
    return {
      hear: (message) => {
        if (message === undefined) return [{ price: 0 }];
        subscribed += 1;
        return [{ price: subscribed }];
      },
      push: () => [{ price: 100 }],
      every_ms: 5,
    };
  },
});
const evm = defineSimulator({
  provider: "evm_rpc",
  respond: ({ body }) => ({ json: { echo: body } }),
});
const sandbox = await createSandbox({ seed: "s", clock, simulators: [files, keyed, metered, streamed, evm] });
afterAll(() => sandbox.stop());

const TEXT = Type.String();
const settingsOf = (id: string) => ({
  client_id: "me",
  client_secret: "client-secret-0123",
  base_url: sandbox.upstreamUrl(id),
  host_url: (host: string) => sandbox.upstreamUrl(id, host),
});

/** Runs a node that uses the sandbox's providers. */
function createNode(id: string) {
  const node = createTestUpstream({ clock, simulated: true, settings: settingsOf(id) });
  const provider = (change: Partial<ProviderDefinition> = {}) => createTestProvider({ id, ...change });
  const context = () =>
    node.upstream.createContext({
      now_ms: clock.now(),
      signal: new AbortController().signal,
      history: { read: async () => [] },
      purpose: "job",
    });
  return { ...node, provider, context };
}

describe("files of a simulated provider", () => {
  const { provider, context } = createNode("files");
  const read = (
    path: string,
    change: Partial<UpstreamRequest<typeof TEXT>> = {},
    own: Partial<ProviderDefinition> = {},
  ) => context().get(provider(own), { path, format: "text", schema: TEXT, ttl_ms: 0, ...change });

  test("come in their charset, compressed, and from another host of the provider", async () => {
    expect(await read("/latin1", { charset: "latin1" })).toBe(CSV);
    expect(await read("/utf16", { charset: "utf-16" })).toBe(CSV);
    expect(await read("/gzip", { unpack: [{ kind: "gzip", bytes_max: 1_000 }] })).toBe(CSV);
    const zip = [{ kind: "zip", member: "a.csv", bytes_max: 1_000 }] as const;
    expect(await read("/zip", { unpack: zip, charset: "latin1" })).toBe(CSV);
    expect(await read("/moved", { charset: "latin1" }, { redirects: [] })).toBe(CSV);
    const bytes = context().get(provider(), { path: "/bytes", format: "bytes", schema: Type.Uint8Array(), ttl_ms: 0 });
    expect([...(await bytes)]).toEqual([0, 255, 7]);
  });

  test("know the called host and the sent form", async () => {
    const got = await context().get(provider({ hosts: { data: "https://data.example.com" } }), {
      path: "/form",
      host: "data",
      form: { a: "1" },
      schema: Type.Unknown(),
      ttl_ms: 0,
    });
    expect(got).toEqual({ host: "data", body: { a: "1" } });
  });

  test("are cut, empty or missing under a fault", async () => {
    const setFault = async (fault: string) => {
      const body = JSON.stringify({ provider: "files", fault });
      await sandbox.handleControl(new Request("http://localhost/__sandbox/upstreams", { method: "POST", body }));
    };
    const zip = { unpack: [{ kind: "zip", member: "a.csv", bytes_max: 1_000 }] } as const;
    for (const fault of ["truncated", "empty", "null_values", "html", "http500"]) {
      await setFault(fault);
      expect((await getFailure(read("/zip", zip))).kind).toMatch(/bad_response|unavailable/);
    }
    await setFault("none");
  });

  test("are not sent again to a caller who has the version", async () => {
    const ask = (headers: Record<string, string>) => fetch(`${sandbox.upstreamUrl("files")}/tagged`, { headers });
    expect((await ask({})).status).toBe(200);
    expect((await ask({ "if-none-match": '"1"' })).status).toBe(304);
    expect((await ask({ "if-none-match": '"2"' })).status).toBe(200);
  });
});

test("tokens are issued, and requested again after they expire", async () => {
  const { provider, context } = createNode("keyed");
  const oauth = { path: "/token", client_in: "basic" } as const;
  const get = () =>
    context().get(provider({ oauth }), { path: "/x", schema: Type.Object({ value: Type.Number() }), ttl_ms: 0 });
  expect((await get()).value).toBe(7);
  clock.advance(3_600_000);
  expect((await get()).value).toBe(7);
  expect((await fetch(`${sandbox.upstreamUrl("keyed")}/x`)).status).toBe(401);
});

test("a quota follows the sandbox clock", async () => {
  const ask = async () => (await fetch(sandbox.upstreamUrl("metered"))).status;
  expect([await ask(), await ask(), await ask()]).toEqual([200, 200, 429]);
  clock.advance(60_000);
  expect(await ask()).toBe(200);
});

test("simulated nodes and the sandbox's own chains answer a batch call by call", async () => {
  const post = async (url: string, body: unknown) =>
    (await fetch(url, { method: "POST", body: JSON.stringify(body) })).json();
  const calls = [1, 2].map((id) => ({ jsonrpc: "2.0", id, method: "eth_chainId", params: [] }));
  expect(await post(sandbox.rpcUrl("base"), calls)).toEqual(calls.map((echo) => ({ echo })));
  expect(await post(sandbox.rpcUrl("base_sepolia"), calls)).toMatchObject([
    { id: 1, result: "0x14a34" },
    { id: 2, result: "0x14a34" },
  ]);
  const slots = [1, 2].map((id) => ({ jsonrpc: "2.0", id, method: "getSlot", params: [] }));
  expect(await post(sandbox.rpcUrl("solana_devnet"), slots)).toMatchObject([{ id: 1 }, { id: 2 }]);
  expect(await post(sandbox.rpcUrl("base_sepolia"), [])).toHaveProperty("error");
});

test("a stream is played over a real WebSocket", async () => {
  const { upstream, provider, context } = createNode("streamed");
  const request = {
    path: "/ws",
    hello: [{ subscribe: 1 }],
    schema: Type.Object({ price: Type.Number() }),
    read: ({ price }: { price: number }) => ({ price }),
    silence_ms: 60_000,
    buffer_max: 1_000,
  };
  const heard = new Set<number>();
  while (!heard.has(100) || !heard.has(1)) {
    for (const { value } of context().drain(provider(), request).messages) heard.add(value.price);
    await Bun.sleep(1);
  }
  expect([...heard].sort((a, b) => a - b)).toEqual([0, 1, 100]);
  upstream.close();
});
