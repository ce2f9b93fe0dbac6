import { afterAll, beforeAll, expect, test } from "bun:test";
import { HTTPFacilitatorClient } from "@x402/core/server";
import { BatchSettlementEvmScheme } from "@x402/evm/batch-settlement/server";
import { paymentMiddleware, x402ResourceServer } from "@x402/hono";
import { Hono } from "hono";
import { generatePrivateKey } from "viem/accounts";
import { createBuyer } from "../../src/buyer/buyer.ts";
import { createOwnChannels, type OwnChannels } from "../../src/buyer/own-channels/own-channels.ts";
import { findChannelOffer } from "../../src/buyer/stand-in/read-terms.ts";
import { createSandbox, type Sandbox } from "../../src/sandbox/index.ts";
import { openKeptDb } from "../../src/stores/kept-db.ts";
import { createOwnChannelRows, type OwnChannelRows } from "../../src/stores/own-channel-rows.ts";
import { createStillClock } from "../helpers/still-clock.ts";

const NETWORK = "eip155:84532";
const SELLER = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";
const PRICE = 1_000n;

let sandbox: Sandbox;
let url = "";
let rows: OwnChannelRows;
let channels: OwnChannels;
const stops: (() => unknown)[] = [];
const lines: object[] = [];

beforeAll(async () => {
  const clock = createStillClock(Date.now());
  sandbox = await createSandbox({ seed: "test", clock, simulators: [] });
  const client = new HTTPFacilitatorClient({ url: sandbox.facilitatorUrl() });
  const server = new x402ResourceServer(client).register(NETWORK, new BatchSettlementEvmScheme(SELLER));
  const app = new Hono();
  const accepts = { scheme: "batch-settlement", price: "$0.001", network: NETWORK, payTo: SELLER } as const;
  app.use(paymentMiddleware({ "GET /rate": { accepts, description: "A rate." } }, server));

  app.get("/rate", (context) => {
    return context.req.query("fail") === "1" ? context.json({}, 500) : context.json({ rate: 1 });
  });
  const listening = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: app.fetch });
  url = `http://127.0.0.1:${listening.port}/rate`;
  const kept = openKeptDb(":memory:");
  rows = createOwnChannelRows(kept.db);
  const key = generatePrivateKey();
  const note = (fields: object) => void lines.push(fields);
  channels = createOwnChannels({
    rows,
    clock,
    elapsed_ms: () => 0,
    buyer: () => createBuyer(clock.now, key),
    rpc_urls: (chain) => [sandbox.rpcUrl(chain)],
    limits: { deposit_calls: 5, deposit_max: 20_000n, deposit_all_max: 20_000n, withdraw_delay_s_max: 604_800 },
    log: { info: note, warn: note, error: note },
  });
  stops.push(
    () => listening.stop(true),
    kept.close,
    () => sandbox.stop(),
  );
});
afterAll(async () => {
  for (const stop of stops) await stop();
});

async function buy(query = ""): Promise<number> {
  const unpaid = await fetch(`${url}${query}`);
  const accepted = findChannelOffer({ status: 402, headers: unpaid.headers, text: await unpaid.text() }, NETWORK);
  if (accepted === null) throw new Error("no channel is offered");
  const order = { accepted, price: BigInt(accepted.amount), room: 100_000n, door: url };
  const status = await channels.pay(order, async (step) => {
    const answer = await fetch(`${url}${query}`, { headers: { "PAYMENT-SIGNATURE": await step.sign() } });
    if (answer.status === 200) step.note({ status: 200, headers: answer.headers, text: await answer.text() });
    return answer.status;
  });
  return status ?? 0;
}

test("the official seller takes this node's deposit and vouchers, and its snapshots add up", async () => {
  // The official seller announces ten times its price as the least deposit, which is more than five calls.
  for (let n = 1; n <= 9; n += 1) expect(await buy()).toBe(200);
  expect(rows.list()).toMatchObject([{ deposited: 10n * PRICE, charged: 9n * PRICE, signed: 9n * PRICE }]);
  // What failed is not charged: the same sum buys the next answer.
  expect(await buy("?fail=1")).toBe(500);
  expect(await buy()).toBe(200);
  expect(await buy()).toBe(200);
  expect(rows.list()).toMatchObject([
    { deposited: 20n * PRICE, charged: 11n * PRICE, signed: 11n * PRICE, stopped: null },
  ]);
  expect(lines).toEqual([]);
});
