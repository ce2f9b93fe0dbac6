import { afterAll, beforeAll, expect, test } from "bun:test";
import { newPayer } from "../helpers/demo-node.ts";
import { type FileNode, numberPlugin, ownPlugins, startFileNode } from "../helpers/file-node.ts";
import { noteSecret } from "../helpers/secrets.ts";
import { createPaymentPayload } from "../helpers/sign-for.ts";

/** Sells how many of 30 calls for one answer a dear model was asked for; a free one stands behind it. */
const WRITER = numberPlugin("writer", 0)
  .replace('ttl: "60s"', 'ttl: "0s"')
  .replace(
    "fetch: async () => 0,",
    `uses_model: { use: "compose", need: "needed" },
  fetch: async ({ model }) => {
    let dear = 0;
    for (let n = 0; n < 30; n += 1) {
      const asked = await model.complete({ messages: [{ role: "user", content: "hello " + n }], max_tokens: 100 });
      if (asked.cost_usd > 0) dear += asked.cost_usd;
    }
    return dear;
  },`,
  );
/** A worst cost of some 0.0022 USD: a fifth of the price. */
const MODELS = ["dear", "free"]
  .map((id) => {
    const price = id === "dear" ? "20.00" : "0";
    const prices = `price_in = "${price}"\nprice_out = "${price}"\n`;
    return `[[models]]\nid = "${id}"\nbase_url = "http://127.0.0.1:9/v1"\nmodel = "m"\nuse = ["compose"]\n${prices}`;
  })
  .join("");
const PRICE_USD = 0.01;
const DAILY_USD = 0.1;

let at: FileNode;
beforeAll(async () => {
  const toml = ownPlugins(
    `[plans.day_pass]\nprice = "1.00"\n[llm]\ndaily_usd = "${DAILY_USD}"\nguest_share = 0.2\n${MODELS}`,
  );
  at = await startFileNode({ toml, plugins: { writer: WRITER } });
});
afterAll(() => at.stop());

const costOf = async (headers: Record<string, string>): Promise<number> => {
  const response = await fetch(`${at.url}/writer`, { headers });
  expect(response.status).toBe(200);
  return ((await response.json()) as { readonly data: { readonly n: number } }).data.n;
};
const buy = async () => {
  const signed = await createPaymentPayload(await fetch(`${at.url}/writer`), newPayer());
  return costOf({ "PAYMENT-SIGNATURE": signed });
};

test("thirty calls for one answer cost no more than their share of its price", async () => {
  const cost = await buy();
  expect(cost).toBeGreaterThan(0);
  expect(cost).toBeLessThanOrEqual(0.8 * PRICE_USD);
});

test("a pass spends the guests' share of the day's money, then asks free models; buyers have the rest", async () => {
  const issued = await at.ask("/admin/keys", { command: "issue", plan: "day_pass" });
  const { api_key } = (await issued.json()) as { readonly api_key: string };
  noteSecret(api_key);
  let spent = 0;
  let last = 1;
  for (let n = 0; n < 20 && last > 0; n += 1) {
    last = await costOf({ "X-API-Key": api_key });
    spent += last;
  }
  expect(last).toBe(0);
  expect(spent).toBeGreaterThan(0);
  expect(spent).toBeLessThanOrEqual(0.2 * DAILY_USD);
  expect(await buy()).toBeGreaterThan(0);
  const status = (await (await at.ask("/admin/status")).json()) as { readonly model_budgets: readonly unknown[] };
  expect(status.model_budgets).toContainEqual(expect.objectContaining({ scope: "guests", is_spent: true }));
});
