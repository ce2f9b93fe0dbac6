import { afterEach, expect, test } from "bun:test";
import { privateKeyToAccount } from "viem/accounts";
import { sha256Hex } from "../../src/core/hash.ts";
import { encodeHeader } from "../../src/payments/codec.ts";
import { signPayment } from "../helpers/gate-bench.ts";
import { type MoneyNode, startMoneyNode } from "../helpers/money-node.ts";

let shop: MoneyNode | null = null;
afterEach(async () => {
  await shop?.stop();
  shop = null;
});

const IP = { "X-Forwarded-For": "203.0.113.7" };

async function buyPass({ url }: MoneyNode): Promise<string> {
  const challenge = await fetch(`${url}/day-pass`, { headers: IP });
  const required = JSON.parse(
    Buffer.from(challenge.headers.get("PAYMENT-REQUIRED") ?? "", "base64").toString("utf8"),
  ) as { accepts: { network: string; amount: string }[] };
  const accepted = required.accepts.find(({ network }) => network === "eip155:84532");
  const account = privateKeyToAccount(`0x${sha256Hex("holder of a pass")}`);
  const payload = await signPayment({ account, value: BigInt(accepted?.amount ?? 0) });
  const header = encodeHeader({ x402Version: 2, accepted, payload });
  const answer = await fetch(`${url}/day-pass`, { headers: { ...IP, "PAYMENT-SIGNATURE": header } });
  return ((await answer.json()) as { api_key: string }).api_key;
}

test("calls of a pass beyond those at once are turned away, and are no refused payments", async () => {
  shop = await startMoneyNode("", undefined, {
    server: 'trusted_proxies = ["127.0.0.1"]',
    limits: "key_calls_at_once = 2",
    timeout: "30s",
  });
  const { url, work } = shop;
  const headers = { ...IP, "X-API-Key": await buyPass(shop) };
  const ended = Promise.withResolvers<void>();
  work.produce = () => ended.promise;
  let turned_away = 0;
  const calls = Array.from({ length: 200 }, async (_, n) => {
    const response = await fetch(`${url}/one?q=${n}`, { headers });
    if (response.status === 429) turned_away += 1;
    await response.arrayBuffer();
    return response.status;
  });
  // An address may have 120 payments refused in a minute.
  while (turned_away < 198) await Bun.sleep(5);
  ended.resolve();
  const statuses = await Promise.all(calls);
  expect(statuses.filter((status) => status === 200)).toHaveLength(2);
  expect((await fetch(`${url}/one`, { headers })).status).toBe(200);
});
