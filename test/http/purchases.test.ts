import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { wrapFetchWithPayment, x402Client } from "@x402/fetch";
import Ajv2020 from "ajv/dist/2020";
import type { PrivateKeyAccount } from "viem/accounts";
import { auditOf, settlementsOf } from "../helpers/demo-books.ts";
import {
  cleanUp,
  type DemoNode,
  newPayer,
  payingFetch,
  payingFetchV1,
  signFor,
  startDemo,
} from "../helpers/demo-node.ts";
import { noteSecret } from "../helpers/secrets.ts";

let node: DemoNode;
beforeAll(async () => {
  node = await startDemo();
});
afterAll(cleanUp);

type Answer = Record<string, unknown>;
const json = async (response: Response): Promise<Answer> => {
  const answer = (await response.json()) as Answer;
  if (typeof answer.api_key === "string") noteSecret(answer.api_key);
  return answer;
};

/** The official client as docs/agent.md tells buyers of plans to set it up. */
const generousFetch = (account: PrivateKeyAccount): typeof fetch => {
  const client = new x402Client().setSpendControls({ maxAmountPerPayment: false });
  return wrapFetchWithPayment(fetch, client.register("eip155:*", new ExactEvmScheme(account))) as typeof fetch;
};
const fund = (account: PrivateKeyAccount) =>
  node.control("/fund", { network: "eip155:84532", address: account.address, amount_atomic: "1000000000" });
const status = async (api_key: string): Promise<Answer> =>
  json(await node.get("/credits-status", { "x-api-key": api_key }));

describe("the stock client", () => {
  test("buys a balance in one call and uses it", async () => {
    const account = newPayer();
    const bought = await payingFetch(account)(`${node.url}/buy-credits`);
    const answer = await json(bought);
    expect(answer).toMatchObject({ plan: "buy_credits", granted_atomic: "1250000", priority: "standard" });
    expect(answer.receipt).toBe(bought.headers.get("x-receipt-id"));
    const { components } = await json(await node.get("/openapi.json?product=buy-credits"));
    const { PlanAnswer } = (components as { schemas: Record<string, object> }).schemas;
    const check = new Ajv2020({ strict: false, validateFormats: false }).compile({
      ...PlanAnswer,
      additionalProperties: false,
    });
    expect([check(answer), check.errors]).toEqual([true, null]);
    expect((await node.get("/fear-greed", { "x-api-key": String(answer.api_key) })).status).toBe(200);
    expect(await status(String(answer.api_key))).toMatchObject({ balance_atomic: "1240000" });
    expect(await json(await node.get(`/receipts/${answer.receipt}`))).toMatchObject({ product: "buy-credits" });
  });

  test("of version 1 needs a higher limit of its own, and then buys too", async () => {
    await expect(payingFetchV1()(`${node.url}/buy-credits?x402Version=1`)).rejects.toThrow("exceeds");
  });

  test("refuses more than 1 USDC until it is told otherwise, and the 402 says so", async () => {
    await expect(payingFetch()(`${node.url}/day-pass`)).rejects.toThrow("spendControls");
    const { resource } = (await json(await node.get("/day-pass"))) as { resource: { description: string } };
    expect(resource.description).toContain("setSpendControls");
  });
});

/** Times may be told in whole seconds. */
const ROUNDED_MS = 1_000;
test.each([
  ["/day-pass", { unlimited: true, priority: "standard" }, 86_400],
  ["/week-pass", { unlimited: true, priority: "standard" }, 604_800],
  ["/subscribe-pro", { granted_atomic: "15000000", priority: "pro" }, 2_592_000],
  ["/subscribe-whale", { unlimited: true, priority: "max" }, 2_592_000],
  ["/founding-agent", { granted_atomic: "75000000", priority: "pro" }, 15_552_000],
  ["/enterprise", { unlimited: true, priority: "dedicated" }, 31_536_000],
] as const)("%s is bought once and grants what it says", async (path, grants, duration_s) => {
  const account = newPayer();
  await fund(account);
  const before_ms = Date.parse(String((await node.control("/clock")).now));
  const answer = await json(await generousFetch(account)(`${node.url}${path}`));
  expect(answer).toMatchObject(grants);
  const after_ms = Date.parse(String((await node.control("/clock")).now));
  const bought_ms = Date.parse(String(answer.expires_at)) - duration_s * 1_000;
  expect(bought_ms).toBeGreaterThanOrEqual(before_ms - ROUNDED_MS);
  expect(bought_ms).toBeLessThanOrEqual(after_ms + ROUNDED_MS);
  const shown = await status(String(answer.api_key));
  expect(shown).toMatchObject({ priority: grants.priority, expires_at: answer.expires_at, status: "active" });
  expect((await node.get("/oracle-consensus", { "x-api-key": String(answer.api_key) })).status).toBe(200);
});

test("a founding agent has a badge anybody can look at, and whose proof holds", async () => {
  const account = newPayer();
  await fund(account);
  const answer = await json(await generousFetch(account)(`${node.url}/founding-agent`));
  const badge = (await json(await fetch(String(answer.badge_url)))) as Answer & {
    proof: { signed: string; signature: string; public_key: string };
  };
  expect(badge).toMatchObject({ plan: "founding_agent", holder: account.address.toLowerCase(), status: "active" });
  expect(JSON.stringify(badge)).not.toContain("ink_");
  const { signed, signature, public_key } = badge.proof;
  const key = await crypto.subtle.importKey(
    "jwk",
    { kty: "OKP", crv: "Ed25519", x: public_key },
    { name: "Ed25519" },
    false,
    ["verify"],
  );
  const bytes = Buffer.from(signature, "base64url");
  expect(await crypto.subtle.verify("Ed25519", key, bytes, Buffer.from(signed))).toBe(true);
  expect(JSON.parse(signed)).toMatchObject({ badge: badge.badge, holder: badge.holder });
  expect((await node.get("/badges/bdg_none")).status).toBe(404);
});

describe("with the key one has", () => {
  test("credit is added to it, and no new key is made", async () => {
    const account = newPayer();
    const first = await json(await payingFetch(account)(`${node.url}/buy-credits`));
    const headers = { "x-api-key": String(first.api_key) };
    const second = await json(await payingFetch(account)(`${node.url}/buy-credits`, { headers }));
    expect(second).toMatchObject({ topped_up: true, key_id: first.key_id, balance_atomic: "2500000" });
    expect(second.api_key).toBeUndefined();
    expect(await status(String(first.api_key))).toMatchObject({ balance_atomic: "2500000", granted_atomic: "2500000" });
  });

  test("a pass is extended by its whole length", async () => {
    const account = newPayer();
    await fund(account);
    const first = await json(await generousFetch(account)(`${node.url}/day-pass`));
    const headers = { "x-api-key": String(first.api_key) };
    const second = await json(await generousFetch(account)(`${node.url}/day-pass`, { headers }));
    const longer_ms = Date.parse(String(second.expires_at)) - Date.parse(String(first.expires_at));
    expect(longer_ms).toBe(86_400_000);
  });

  test("that is unknown or revoked nothing is paid", async () => {
    const account = newPayer();
    for (const key of [`ink_${"0".repeat(43)}`, "nonsense"]) {
      const header = await signFor(node, "/buy-credits", account);
      const refused = await node.get("/buy-credits", { "payment-signature": header, "x-api-key": key });
      expect([refused.status, (await json(refused)).code]).toEqual([402, "invalid_api_key"]);
    }
    expect(await settlementsOf(node, account.address)).toEqual([]);
  });
});

describe("a key bought on chain", () => {
  test("is not handed to somebody who only knows the payment", async () => {
    const account = newPayer();
    const header = await signFor(node, "/buy-credits", account);
    const [bought, ...watchers] = await Promise.all(
      Array.from({ length: 5 }, () => node.get("/buy-credits", { "payment-signature": header })),
    );
    const { api_key } = await json(bought as Response);
    expect(String(api_key)).toMatch(/^ink_/);
    for (const watcher of [...watchers, await node.get("/buy-credits", { "payment-signature": header })]) {
      const text = await watcher.text();
      expect([watcher.status, text.includes("ink_")]).toEqual([200, false]);
      expect(text).toContain('"recovery"');
    }
    expect(await settlementsOf(node, account.address)).toHaveLength(1);
  });

  test("is returned byte for byte to a caller with the secret of the first call", async () => {
    const header = await signFor(node, "/buy-credits");
    const secret = { "payment-signature": header, "idempotency-key": "only the buyer knows this" };
    const first = await (await node.get("/buy-credits", secret)).text();
    const again = await node.get("/buy-credits", secret);
    expect([again.headers.get("x-idempotent-replay"), await again.text()]).toEqual(["true", first]);
    const guess = { ...secret, "idempotency-key": "only the buyer knows that" };
    expect(await (await node.get("/buy-credits", guess)).text()).not.toContain("ink_");
  });

  test("is given again to a new payment of the same wallet, which is not settled", async () => {
    const account = newPayer();
    const first = await json(await payingFetch(account)(`${node.url}/buy-credits`));
    const again = await payingFetch(account)(`${node.url}/buy-credits`);
    expect(again.headers.get("x-duplicate-payment-avoided")).toBe("true");
    expect((await json(again)).api_key).toBe(first.api_key);
    expect(await settlementsOf(node, account.address)).toHaveLength(1);
  });
});

test("after all of this the books balance, and no key is anywhere in the files or the log", async () => {
  const { api_key } = await json(await payingFetch()(`${node.url}/buy-credits`));
  expect(await node.stop()).toBe(0);
  const { findings } = auditOf(node).report;
  expect(findings).toEqual([]);
  const files = Bun.spawnSync(["grep", "-rlaE", "ink_[0-9A-Za-z]{43}", node.data]).stdout.toString();
  expect(files).toBe("");
  expect(node.log()).not.toContain(String(api_key));
});
