import { afterAll, beforeAll, expect, test } from "bun:test";
import { newPayer } from "../helpers/demo-node.ts";
import { repeat } from "../helpers/effort.ts";
import { numberPlugin } from "../helpers/file-node.ts";
import { createKilledNode } from "../helpers/killed-node.ts";
import { createPaymentPayload } from "../helpers/sign-for.ts";

const ROUNDS = repeat({ quick: 1, full: 20, long: 200 });
/** How long after its first call of a round the node is killed, at most. */
const KILL_MS_MAX = 150;
const NAMES = ["one", "two", "three", "four", "five"];
const ITEMS = NAMES.map((name) => ({ product: `/${name}` }));
const SUM = 10_000n * BigInt(NAMES.length);

let world: Awaited<ReturnType<typeof createKilledNode>>;
beforeAll(async () => {
  const plugins = Object.fromEntries(NAMES.map((name, n) => [name, numberPlugin(name, n)]));
  world = await createKilledNode({ name: "basket-kill", plugins, toml: '[plans.buy_credits]\ngrants = "500"\n' });
});
afterAll(() => world.stop());

const post = (url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response | null> =>
  fetch(`${url}/basket`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  }).catch(() => null);
/** The body once the call was answered whole; null when it has to be sent again. */
const readWhole = async (response: Response | null): Promise<string | null> => {
  if (response?.status !== 200) return null;
  const text = await response.text().catch(() => "");
  return text.includes('"delivered":5') ? text : null;
};

test("a node killed at any moment charges each basket and each item of one once, and loses no answer", async () => {
  let node = await world.start();
  const plan = `${node.url}/buy-credits`;
  const bought = await fetch(plan, {
    headers: { "PAYMENT-SIGNATURE": await createPaymentPayload(await fetch(plan), newPayer()) },
  });
  const { api_key } = (await bought.json()) as { api_key: string };
  let by_key = 0n;
  let by_payment = 0n;
  for (let round = 0; round < ROUNDS; round += 1) {
    const challenge = await post(node.url, ITEMS);
    if (!challenge) throw new Error("no price");
    const payment = { "PAYMENT-SIGNATURE": await createPaymentPayload(challenge, newPayer()) };
    const key = { "X-API-Key": api_key, "Idempotency-Key": `round ${round}` };
    const whole = { "X-API-Key": api_key, "Idempotency-Key": `whole ${round}` };
    const dies = Bun.sleep(Math.random() * KILL_MS_MAX).then(node.kill);
    const first = await Promise.all([
      post(node.url, { items: ITEMS, partial: true }, key).then(readWhole),
      post(node.url, ITEMS, whole).then(readWhole),
      post(node.url, ITEMS, payment).then(readWhole),
    ]);
    await dies;
    node = await world.start();
    const again = async (body: unknown, headers: Record<string, string>): Promise<string> => {
      for (;;) {
        const text = await readWhole(await post(node.url, body, headers));
        if (text !== null) return text;
        await Bun.sleep(100);
      }
    };
    const last = [
      await again({ items: ITEMS, partial: true }, key),
      await again(ITEMS, whole),
      await again(ITEMS, payment),
    ];
    // What was handed over before the end is handed over again: of the parts the answers, of one sale every byte.
    const answersOf = (text: string) => (JSON.parse(text) as { data: unknown }).data;
    for (const [index, text] of first.entries()) {
      if (text !== null) expect(answersOf(last[index] ?? "")).toEqual(answersOf(text));
      if (text !== null && index > 0) expect(last[index]).toBe(text);
    }
    by_key += 2n * SUM;
    by_payment += SUM;
  }
  const status = await fetch(`${node.url}/credits-status`, { headers: { "X-API-Key": api_key } });
  const { balance_atomic } = (await status.json()) as { balance_atomic: string };
  expect(500_000_000n - BigInt(balance_atomic)).toBe(by_key);
  await node.kill();
  const books = world.openBooks();
  try {
    expect((await books.audit()).findings).toEqual([]);
    const paid = (await books.receipts.list({ limit: 1_000 })).filter(({ product }) => product === "basket");
    expect(paid.reduce((sum, { amount }) => sum + amount, 0n)).toBe(by_payment);
  } finally {
    await books.close();
  }
});
