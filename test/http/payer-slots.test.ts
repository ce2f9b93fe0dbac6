import { afterEach, beforeEach, expect, test } from "bun:test";
import { until } from "../helpers/hang-limit.ts";
import { type MoneyNode, startMoneyNode } from "../helpers/money-node.ts";
import { noteSecret } from "../helpers/secrets.ts";

let money: MoneyNode;
beforeEach(async () => {
  money = await startMoneyNode('[plans.day_pass]\nprice = "1.00"', undefined, { timeout: "30s" });
});
afterEach(() => money.stop());

async function issueKey(more: object): Promise<string> {
  const response = await fetch(`${money.url}/admin/keys`, {
    method: "POST",
    headers: { authorization: `Bearer ${money.node.operator_token}`, "content-type": "application/json" },
    body: JSON.stringify({ command: "issue", ...more }),
  });
  const { api_key } = (await response.json()) as { api_key: string };
  noteSecret(api_key);
  return api_key;
}
const call = (api_key: string, n: number) => fetch(`${money.url}/one?q=${n}`, { headers: { "X-API-Key": api_key } });

test("a pass has four calls worked on at once; the others wait, and nobody waits behind them", async () => {
  const [pass, honest] = await Promise.all([issueKey({ plan: "day_pass" }), issueKey({ credit_usd: "5" })]);
  const held = Promise.withResolvers<void>();
  let under_way = 0;
  let most = 0;
  money.work.produce = async () => {
    under_way += 1;
    most = Math.max(most, under_way);
    await held.promise;
    under_way -= 1;
  };
  const calls = Array.from({ length: 60 }, (_, n) => call(pass, n + 1).then(({ status }) => status));
  await until(async () => under_way === 4, "four calls that are worked on");
  const another = call(honest, 1_000);
  await until(async () => under_way === 5, "another buyer's call");
  held.resolve();
  expect((await another).status).toBe(200);
  expect(new Set(await Promise.all(calls))).toEqual(new Set([200]));
  expect(most).toBe(5);
});
