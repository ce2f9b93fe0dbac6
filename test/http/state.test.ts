import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { renderStartScreen } from "../../src/commands/start-screen.ts";
import type { ScriptedFault } from "../../src/sandbox/upstreams.ts";
import { IMAGINED } from "../../src/upstream/imagined.gen.ts";
import { type ProductNode, startProductNode } from "../helpers/product-node.ts";

/** One state, told by every door in the same words. */
let node: ProductNode;

beforeAll(async () => {
  node = await startProductNode({ seed_history: false });
});
afterAll(() => node.stop());

const read = async (path: string) => {
  const response = await fetch(`${node.url}${path}`);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};
/** /live is rendered at most twice a second by the node's clock. */
const pass = (ms: number): void => node.clock.set(node.clock.now() + ms);
const screen = (): string => renderStartScreen({ version: "0", config_file: "c", data_dir: "d", node: node.node });

test("a node that sells everything is ok", async () => {
  expect(node.node.state()).toMatchObject({ status: "ok", reasons: [], ready: true });
  expect((await read("/readyz")).body).toEqual({ ready: true, reasons: [] });
  expect((await read("/live")).body).toMatchObject({ status: "ok", reasons: [] });
  expect(screen()).toContain("state    ok");
});

test("the operator is told which endpoints were never read from a publisher's bytes", async () => {
  const token = node.node.operator_token;
  const headers = { authorization: `Bearer ${token}` };
  const status = (await (await fetch(`${node.url}/admin/status`, { headers })).json()) as {
    readonly imagined: Readonly<Record<string, readonly string[]>>;
  };
  expect(Object.keys(status.imagined)).not.toBeEmpty();
  const all = Object.entries(IMAGINED).map(([provider, { imagined }]) => [provider, imagined] as const);
  expect(Object.fromEntries(all)).toMatchObject(status.imagined);
  const login = { method: "POST", body: new URLSearchParams({ token }), redirect: "manual" } as const;
  const cookie = (await fetch(`${node.url}/admin/login`, login)).headers.get("set-cookie")?.split(";")[0] ?? "";
  const page = await (await fetch(`${node.url}/admin/sources`, { headers: { cookie } })).text();
  expect(page).toContain("Never read from real bytes");
  const [endpoint = ""] = Object.values(status.imagined)[0] ?? [];
  expect(page).toContain(endpoint);
});

describe("a product whose essential sources have been shut off for a minute", () => {
  const fail = async (providers: readonly string[], fault: ScriptedFault) => {
    for (const provider of providers) await node.control("/upstreams", { provider, fault });
  };
  /** The providers of /pyth-price, every one of its group. */
  const essential = (): readonly string[] => {
    const product = node.products.find(({ path }) => path === "/pyth-price");
    return product?.requires.flat().map(({ id }) => id) ?? [];
  };
  /** A key, because a payment signed by the real clock is too old for a node whose clock was moved. */
  const issueKey = async (): Promise<string> => {
    const headers = { authorization: `Bearer ${node.node.operator_token}`, "content-type": "application/json" };
    const body = JSON.stringify({ command: "issue", credit_usd: "5" });
    const response = await fetch(`${node.url}/admin/keys`, { method: "POST", headers, body });
    return ((await response.json()) as { api_key: string }).api_key;
  };

  test("answers 503 with a reason instead of a price, is shown so everywhere, and comes back by itself", async () => {
    const key = await issueKey();
    const buy = () => fetch(`${node.url}/pyth-price`, { headers: { "X-API-Key": key } });
    await fail(essential(), "http500");
    // Past every cache: until the breakers of all its addresses are open.
    for (let tries = 0; tries < 12; tries += 1) {
      pass(60_000);
      await (await buy()).arrayBuffer();
    }
    expect((await buy()).status).toBe(503);
    pass(61_000);
    const refused = await fetch(`${node.url}/pyth-price`);
    expect(refused.status).toBe(503);
    expect(await refused.json()).toMatchObject({ code: "upstream_unavailable", charged: false });
    expect(refused.headers.get("retry-after")).not.toBeNull();
    const state = node.node.state();
    expect(state.status).toBe("degraded");
    expect(state.unavailable.map(({ path }) => path)).toContain("/pyth-price");
    expect((await read("/live")).body).toMatchObject({ status: "degraded", reasons: state.reasons });
    expect(screen()).toContain("state    degraded");
    expect(screen()).toContain(state.reasons[0] ?? "no reason");
    // One product less is no reason to send nobody here.
    expect((await read("/readyz")).status).toBe(200);

    await fail(essential(), "none");
    pass(15_000);
    await node.node.checkState();
    expect((await fetch(`${node.url}/pyth-price`)).status).toBe(402);
  });
});
