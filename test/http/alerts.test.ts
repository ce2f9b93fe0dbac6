import { afterAll, beforeAll, expect, test } from "bun:test";
import { type ProductNode, startProductNode } from "../helpers/product-node.ts";

/** What the operator's webhook received, in order. */
const told: { readonly type: string; readonly data: { readonly event: string; readonly title: string } }[] = [];
const webhook = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request) {
    told.push((await request.json()) as (typeof told)[number]);
    return new Response("");
  },
});
let node: ProductNode;

beforeAll(async () => {
  const secret = `whsec_${btoa("0".repeat(32))}`;
  const entry = `kind = "webhook"\nurl = "http://127.0.0.1:${webhook.port}/x"\nsecret = "${secret}"\n`;
  node = await startProductNode({ seed_history: false, config: `[[alerts]]\n${entry}` });
});
afterAll(async () => {
  await node.stop();
  await webhook.stop(true);
});

const MINUTE_MS = 60_000;
const look = async (later_ms = 0) => {
  node.clock.set(node.clock.now() + later_ms);
  await node.node.checkAlerts();
};
const toldOf = (event: string) => told.filter(({ data }) => data.event === event).map(({ type }) => type);
/** Buys until the node has found out about its facilitator. */
const buyUntil = async (ok: boolean) => {
  const [product] = node.products.filter(({ path }) => path === "/fear-greed");
  if (!product) throw new Error("no /fear-greed");
  while (node.node.facilitators()[0]?.ok !== ok) {
    await node.buy(product).then(
      (response) => response.arrayBuffer(),
      () => undefined,
    );
    await Bun.sleep(100);
  }
};

test("the first sale is told once", async () => {
  await look();
  expect(toldOf("first-sale")).toEqual([]);
  const [product] = node.products.filter(({ path }) => path === "/fear-greed");
  if (!product) throw new Error("no /fear-greed");
  expect((await node.buy(product)).status).toBe(200);
  await look();
  await look();
  expect(toldOf("first-sale")).toEqual(["alert.told"]);
});

test("a facilitator that is silent is told as soon as the node knows, and its end when it is back", async () => {
  await node.control("/facilitator", { dead: true });
  await buyUntil(false);
  await look();
  await look(MINUTE_MS);
  expect(toldOf("facilitator")).toEqual(["alert.opened"]);
  const headers = { authorization: `Bearer ${node.node.operator_token}` };
  const answer = await fetch(`${node.url}/admin/status`, { headers });
  const status = (await answer.json()) as { readonly alerts: { readonly open: readonly unknown[] } };
  expect(status.alerts.open).toContainEqual(expect.objectContaining({ severity: "critical", told: true }));
  await node.control("/facilitator", { dead: false });
  await buyUntil(true);
  await look();
  await look(10 * MINUTE_MS);
  await look();
  expect(toldOf("facilitator")).toEqual(["alert.opened", "alert.closed"]);
});

test("a day is summed up when it is over", async () => {
  await look(86_400_000);
  // The minutes of the tests before may have crossed a midnight: then two days are over, each told once.
  const days = told.filter(({ data }) => data.event === "daily").map(({ data }) => data.title);
  expect(new Set(days.map((title) => title.slice(0, 10))).size).toBe(days.length);
  expect(days.filter((title) => /^\d{4}-\d\d-\d\d: 0\.0[1-9]\d* USD$/.test(title))).toHaveLength(1);
});

test("nothing that is told holds the operator's secrets or an address", () => {
  expect(JSON.stringify(told)).not.toMatch(/whsec_|127\.0\.0\.1|0x[0-9a-fA-F]{20}/);
});
