import { afterAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { cleanUp, payingFetch, startDemo } from "../helpers/demo-node.ts";
import { until } from "../helpers/hang-limit.ts";
import {
  localPlugin,
  newNodeFolder,
  startFacilitator,
  startRun,
  startUpstream,
  stopRuns,
} from "../helpers/run-node.ts";

afterAll(cleanUp);
afterAll(stopRuns);

type Answer = Record<string, unknown>;

test("in paid mode it is sold for half a cent, and counts every receipt so far", async () => {
  const node = await startDemo();
  const unpaid = (await (await node.get("/bootstrap-trust")).json()) as { accepts: { amount: string }[] };
  expect(unpaid.accepts[0]?.amount).toBe("5000");
  const pay = payingFetch();
  await pay(`${node.url}/fear-greed`);
  const paid = await pay(`${node.url}/bootstrap-trust`);
  const receipts = { organic: { count: 1, amount_atomic: "10000" } };
  const your_receipt = "/receipts/{X-Receipt-Id}";
  expect(await paid.json()).toMatchObject({
    product: "bootstrap-trust",
    data: { receipts, receipts_path: "/receipts", your_receipt, your_payments: { count: 1, amount_atomic: "10000" } },
  });
  // Where it says: that header in place of the braces.
  const own = await node.get(`/receipts/${paid.headers.get("X-Receipt-Id")}`);
  expect(await own.json()).toMatchObject({ product: "bootstrap-trust", amount_atomic: "5000" });
  // Another wallet is told of its own payments only.
  const other = (await (await payingFetch()(`${node.url}/bootstrap-trust`)).json()) as Answer;
  expect(other).toMatchObject({ data: { your_payments: { count: 0, amount_atomic: "0" } } });
});

test("in self-payment mode only the operator makes the node pay itself, once, and it counts as his test", async () => {
  const [facilitator, upstream] = [startFacilitator(), startUpstream()];
  const key = generatePrivateKey();
  process.env.TEST_BUYER_KEY = key;
  const more = '[bootstrap_trust]\nmode = "self-payment"\nwallet_key_env = "TEST_BUYER_KEY"\n';
  const where = newNodeFolder([`url = "${facilitator.url}"`], more, localPlugin(upstream.url));
  const node = await startRun(where);
  const url = `${node.url()}/bootstrap-trust`;
  await until(async () => (await fetch(`${node.url()}/local`)).status === 402, "an offer");
  expect(await (await fetch(url)).json()).toMatchObject({ mode: "self-payment" });
  expect((await fetch(url, { method: "POST" })).status).toBe(404);
  expect(facilitator.calls.settle).toBe(0);

  const token = readFileSync(join(where.data, "operator.token"), "utf8").trim();
  const done = await fetch(url, { method: "POST", headers: { authorization: `Bearer ${token}` } });
  const { address } = privateKeyToAccount(key);
  expect((await done.json()) as Answer).toMatchObject({ paid: true, payer: address });
  expect(facilitator.calls.settle).toBe(1);
  const receipts = (await (await fetch(`${node.url()}/receipts`)).json()) as { items: Answer[] };
  expect(receipts.items).toMatchObject([{ label: "operator-test", payer: address.toLowerCase() }]);
  expect(node.out()).not.toContain(key.slice(2));
  await Promise.all([facilitator.stop(), upstream.stop()]);
});
