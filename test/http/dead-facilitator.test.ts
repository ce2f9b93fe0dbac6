import { afterAll, beforeAll, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { type MoneyNode, startMoneyNode } from "../helpers/money-node.ts";

/** A node whose only facilitator is not there when it starts: its documents list no network that can be paid on. */
const dead = () => new Response("down", { status: 503 });

let money: MoneyNode;
beforeAll(async () => {
  money = await startMoneyNode("", undefined, { supported: dead });
});
afterAll(() => money.stop());

const DOCUMENTS = [
  "/.well-known/x402.json",
  "/openapi.json",
  "/llms.txt",
  "/get-pricing",
  "/.well-known/agent-card.json",
];
const read = async () =>
  Promise.all(
    DOCUMENTS.map(async (path) => {
      const response = await fetch(`${money.url}${path}`, { headers: { "accept-encoding": "identity" } });
      const digest = createHash("sha256")
        .update(await response.bytes())
        .digest("base64");
      const { headers, status } = response;
      expect([path, status, headers.get("repr-digest")]).toEqual([path, 200, `sha-256=:${digest}:`]);
      return headers.get("cache-control");
    }),
  );
const networks = async (): Promise<readonly unknown[]> => {
  const manifest = await (await fetch(`${money.url}/.well-known/x402.json`)).json();
  return (manifest as { node: { chains: unknown[] } }).node.chains;
};

test("nobody keeps documents without a network: they are whole once the facilitator has answered", async () => {
  expect(await networks()).toEqual([]);
  expect(await read()).toEqual(DOCUMENTS.map(() => "no-store"));
  money.facilitator.script.supported = (forward) => forward();
  while ((await networks()).length === 0) await Bun.sleep(5);
  expect(await read()).toEqual(DOCUMENTS.map(() => "public, max-age=300"));
});
