import { afterAll, beforeAll, expect, test } from "bun:test";
import { createBuyer, NETWORK, startChannelNode } from "../helpers/channel-buyers.ts";
import type { MoneyNode } from "../helpers/money-node.ts";

let node: MoneyNode;
beforeAll(async () => {
  node = await startChannelNode({ server: "[admin]\nenabled = true" });
});
afterAll(() => node.stop());

const json = async (path: string, headers: Record<string, string> = {}) =>
  (await (await fetch(`${node.url}${path}`, { headers })).json()) as Record<string, unknown>;
const overview = () => json("/admin/api/overview", { authorization: `Bearer ${node.node.operator_token}` });

/** The operator's page, by a browser that has logged in. */
async function page(): Promise<string> {
  const headers = { origin: node.url, "content-type": "application/x-www-form-urlencoded" };
  const body = new URLSearchParams({ token: node.node.operator_token });
  const login = await fetch(`${node.url}/admin/login`, { method: "POST", headers, body, redirect: "manual" });
  const cookie = (login.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  return (await fetch(`${node.url}/admin`, { headers: { cookie } })).text();
}

test("a node without channels does not mention their deposits", async () => {
  expect(await json("/live")).not.toHaveProperty("channels");
  expect((await overview()).channels).toEqual([]);
  const shown = await page();
  expect(shown).toContain("Prepaid, not yet called");
  expect(shown).not.toContain("Payment channels");
});

test("what was earned, is unclaimed, claimed and swept is in /live and on the operator's page", async () => {
  const buyer = createBuyer(node);
  for (const path of ["one", "two"]) expect((await buyer.buy(`${node.url}/${path}`)).status).toBe(200);
  await node.node.runChannels({ all: true });
  expect((await buyer.buy(`${node.url}/one?q=more`)).status).toBe(200);
  // Both are kept for a moment.
  node.clock.set(node.clock.now() + 60_000);
  expect((await json("/live")).channels).toEqual([
    {
      network: NETWORK,
      channels: 1,
      withdrawing: 0,
      owed_atomic: "20000",
      earned_atomic: "30000",
      unclaimed_atomic: "10000",
      unswept_atomic: "0",
      swept_atomic: "20000",
      lost_atomic: "0",
    },
  ]);
  expect((await overview()).channels).toEqual([
    {
      network: NETWORK,
      open: 1,
      withdrawing: 0,
      owed_usd: "0.02",
      earned_usd: "0.03",
      unclaimed_usd: "0.01",
      claimed_usd: "0.02",
      swept_usd: "0.02",
      lost_usd: "0.00",
    },
  ]);
  const shown = await page();
  expect(shown).toContain("Payment channels");
  expect(shown).toContain("$0.03");
});
