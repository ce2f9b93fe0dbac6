import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { BatchSettlementEvmScheme } from "@x402/evm/batch-settlement/client";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import type { BasketData, DeliveredItem } from "../../src/catalog/basket-schema.ts";
import { sha256Hex } from "../../src/core/hash.ts";
import { A2A_BUYERS, sign as signA2A } from "../helpers/a2a-buyers.ts";
import { createBasketWorld, ITEM_PATHS, priceOf } from "../helpers/basket-products.ts";
import { createBuyer as createChannelBuyer, settlementOf } from "../helpers/channel-buyers.ts";
import { callTool, payTool } from "../helpers/mcp.ts";
import { type MoneyNode, startMoneyNode } from "../helpers/money-node.ts";
import { createMppBuyer } from "../helpers/mpp-buyers.ts";
import { PAYERS, payFor } from "../helpers/payers.ts";
import { createPaymentPayload } from "../helpers/sign-for.ts";

/** Several products in one call, at the real gate, by every way to pay. */
const world = createBasketWorld();
const CONFIG = `[basket]
discount = 0.1
[payments.channels]
enabled = true
claim_sum = "1000"
unclaimed_max = "10"
`;
let money: MoneyNode;
let url = "";
beforeAll(async () => {
  money = await startMoneyNode(CONFIG, undefined, { products: world.products, timeout: "5s" });
  await money.node.runChannels();
  url = `${money.url}/basket`;
});
afterEach(async () => {
  world.silent.clear();
  expect((await money.node.audit()).findings).toEqual([]);
});
afterAll(() => money.stop());

const ALL = ITEM_PATHS.map((product) => ({ product }));
const SUM = ITEM_PATHS.reduce((sum, path) => sum + priceOf(path), 0n);
/** Ten percent less, rounded down to a whole unit. */
const PRICE = SUM - SUM / 10n;

/** The same items as nobody asked for them before: no cache has an answer. */
let words = 0;
const anew = (items: readonly { readonly product: string }[]) => {
  words += 1;
  const word = `w${String.fromCharCode(97 + (words % 26))}${String.fromCharCode(97 + Math.floor(words / 26))}`;
  return items.map((one) => ({ ...one, params: { word } }));
};

type Answer = {
  readonly product: string;
  readonly as_of: string;
  readonly data: BasketData;
  readonly warnings: string[];
};
const post = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify(body),
});
const ask = (body: unknown, headers: Record<string, string> = {}) => fetch(url, post(body, headers));
const newAccount = () => privateKeyToAccount(generatePrivateKey());
const exactFetch = (account = newAccount()) =>
  wrapFetchWithPayment(fetch, new x402Client().register("eip155:*", new ExactEvmScheme(account)));
/** A payment for these items that can be sent as often as a test likes. */
const signFor = async (body: unknown, account = newAccount()): Promise<Record<string, string>> => ({
  "PAYMENT-SIGNATURE": await createPaymentPayload(await ask(body), account),
});

async function newKey(): Promise<string> {
  const [base] = PAYERS;
  const plan = `${money.url}/buy-credits`;
  const payer = await base?.newPayer(money.url);
  if (!payer) throw new Error("nobody pays");
  const bought = await fetch(plan, { headers: await payFor(plan, payer, 2) });
  return ((await bought.json()) as { api_key: string }).api_key;
}
const leftOf = (response: Response): bigint =>
  BigInt(Math.round(Number(response.headers.get("X-Credits-Remaining")) * 1e6));
const CREDIT = 1_250_000n;

/** The bytes of an item's answer as they stand in the basket's own: what `sha256` is of. */
function cutAnswers(text: string): readonly string[] {
  return text
    .split('"answer":')
    .slice(1)
    .map((rest) => {
      let [depth, in_text] = [0, false];
      for (let index = 0; index < rest.length; index += 1) {
        const letter = rest[index];
        if (in_text) {
          if (letter === "\\") index += 1;
          else if (letter === '"') in_text = false;
        } else if (letter === '"') in_text = true;
        else if (letter === "{") depth += 1;
        else if (letter === "}" && --depth === 0) return rest.slice(0, index + 1);
      }
      throw new Error("an answer has no end");
    });
}

async function expectWhole(response: Response): Promise<Answer> {
  const text = await response.text();
  expect([response.status, text.slice(0, response.status === 200 ? 0 : 500)]).toEqual([200, ""]);
  const answer = JSON.parse(text) as Answer;
  const { items, ...totals } = answer.data;
  expect(totals).toEqual({
    delivered: 20,
    sum_atomic: SUM.toString(),
    discount_atomic: (SUM - PRICE).toString(),
    price_atomic: PRICE.toString(),
  });
  expect(items.map(({ product }) => product)).toEqual([...ITEM_PATHS]);
  expect(cutAnswers(text).map((bytes) => sha256Hex(bytes))).toEqual(
    items.map((item) => (item as DeliveredItem).sha256),
  );
  return answer;
}

describe("a basket of twenty products", () => {
  test("is quoted at one sum, in header and body, in both versions, and by /quote", async () => {
    const response = await ask(ALL);
    expect(response.status).toBe(402);
    const { accepts } = (await response.json()) as { accepts: { amount: string }[] };
    expect([...new Set(accepts.map(({ amount }) => amount))]).toEqual([PRICE.toString()]);
    const v1 = await fetch(`${url}?x402Version=1`, post(ALL));
    expect(((await v1.json()) as { accepts: { maxAmountRequired: string }[] }).accepts[0]?.maxAmountRequired).toBe(
      PRICE.toString(),
    );
    const calls = [{ path: "/basket", params: { items: ALL }, count: 2 }];
    const quote = (await (await fetch(`${money.url}/quote`, post({ calls }))).json()) as {
      single: { total_atomic: string };
    };
    expect(quote.single.total_atomic).toBe((2n * PRICE).toString());
  });

  test("is bought by exact payment with the official client, and is what a receipt names", async () => {
    const response = await exactFetch()(url, post(ALL));
    await expectWhole(response.clone() as Response);
    const receipt = await fetch(`${money.url}/receipts/${response.headers.get("X-Receipt-Id")}`);
    expect(await receipt.json()).toMatchObject({
      product: "basket",
      amount_atomic: PRICE.toString(),
      response_sha256: sha256Hex(await response.text()),
    });
  });

  test("is bought by a key", async () => {
    const response = await ask({ items: ALL }, { "X-API-Key": await newKey() });
    expect(CREDIT - leftOf(response)).toBe(PRICE);
    await expectWhole(response);
  });

  test("is bought by channel: a deposit, then a voucher that asks nobody", async () => {
    const buyer = createChannelBuyer(money);
    const scheme = new BatchSettlementEvmScheme(buyer.account as never, { depositPolicy: { depositMultiplier: 4 } });
    expect(scheme.scheme).toBe("batch-settlement");
    await expectWhole((await buyer.buy(url, post(ALL))) as Response);
    const calls = { ...money.facilitator.calls };
    const second = (await buyer.buy(url, post(ALL))) as Response;
    expect(settlementOf(second).extra).toMatchObject({
      chargedAmount: PRICE.toString(),
      channelState: { chargedCumulativeAmount: (2n * PRICE).toString() },
    });
    await expectWhole(second);
    expect(money.facilitator.calls).toEqual(calls);
  });

  test("is bought by MPP", async () => {
    const buyer = createMppBuyer();
    const credential = await buyer.answer(await buyer.ask(url, post(ALL)));
    await expectWhole(await ask(ALL, { Authorization: credential }));
  });

  test("makes each product once, side by side, from the caches that all buyers share", async () => {
    world.runs.clear();
    const key = await newKey();
    const items = anew(ALL.slice(0, 3));
    await ask(items, { "X-API-Key": key });
    const { data } = (await (await ask(items, { "X-API-Key": key })).json()) as Answer;
    expect([...world.runs]).toEqual(ITEM_PATHS.slice(0, 3).map((path) => [path, 1]));
    const word = items[1]?.params.word;
    const alone = await fetch(`${money.url}/item-2?word=${word}`, { headers: { "X-API-Key": key } });
    // What a basket hands over is the very answer that is sold alone.
    expect(sha256Hex(await alone.text())).toBe((data.items[1] as DeliveredItem).sha256);
  });
});

describe("an item that fails", () => {
  test("costs nothing, by whichever way it is paid, and is named", async () => {
    world.silent.add("/item-7").add("/item-9");
    const items = anew(ALL.slice(5, 10));
    const settled = money.settlements();
    const key = await newKey();
    const after_key = money.settlements();
    expect(after_key).toBe(settled + 1);
    const mpp = createMppBuyer();
    const ways: readonly (() => Promise<Record<string, string>>)[] = [
      () => signFor(items),
      async () => ({ "X-API-Key": key }),
      async () => ({ Authorization: await mpp.answer(await mpp.ask(url, post(items))) }),
    ];
    for (const way of ways) {
      const response = await ask(items, await way());
      expect(response.status).toBe(503);
      const problem = (await response.json()) as { detail: string; charged: boolean; failed: { item: string }[] };
      expect(problem.charged).toBe(false);
      expect(problem.detail).toStartWith("items[1] /item-7: /item-7 has no data now. Nothing was charged.");
      expect(problem.failed.map(({ item }) => item)).toEqual(["items[1]", "items[3]"]);
    }
    const by_channel = (await createChannelBuyer(money).buy(url, post(items))) as Response;
    expect([by_channel.status, await by_channel.json()]).toEqual([503, expect.objectContaining({ charged: false })]);
    expect(money.settlements()).toBe(after_key);
    world.silent.clear();
    const fine = await ask(items, { "X-API-Key": key });
    const sum = ITEM_PATHS.slice(5, 10).reduce((all, path) => all + priceOf(path), 0n);
    expect(CREDIT - leftOf(fine)).toBe(sum - sum / 10n);
  });

  test("leaves the payment good for another try", async () => {
    world.silent.add("/item-2");
    const items = anew(ALL.slice(0, 2));
    const payment = await signFor(items);
    expect((await ask(items, payment)).status).toBe(503);
    world.silent.clear();
    expect((await ask(items, payment)).status).toBe(200);
  });
});

describe("one payment", () => {
  test("fetches its lost answer again, byte for byte, however the same items are written", async () => {
    const items = ALL.slice(0, 4);
    const payment = await signFor(items);
    const before = money.settlements();
    const first = await ask(items, payment);
    const bytes = await first.text();
    const again = await ask({ items: JSON.stringify(ALL.slice(0, 4).map((one) => ({ ...one, params: {} }))) }, payment);
    expect([again.status, again.headers.get("X-Idempotent-Replay")]).toEqual([200, "true"]);
    expect(await again.text()).toBe(bytes);
    expect(money.settlements()).toBe(before + 1);
  });

  test("whose settlement nobody heard of is not charged again, and fetches its answer once it is known", async () => {
    const items = anew(ALL.slice(0, 3));
    const payment = await signFor(items);
    const before = money.settlements();
    money.facilitator.script.settle = async (forward) => {
      await forward();
      return Response.json({ error: "Internal Server Error" }, { status: 500 });
    };
    const first = await ask(items, payment);
    money.facilitator.script.settle = (forward) => forward();
    expect([first.status, await first.json()]).toEqual([503, expect.objectContaining({ charged: "unknown" })]);
    money.clock.advance(3_000);
    const again = await ask(items, payment);
    expect(again.status).toBe(200);
    expect(((await again.json()) as Answer).data.delivered).toBe(3);
    expect(money.settlements()).toBe(before + 1);
  });

  test("buys no other basket, even of the same sum", async () => {
    const payment = await signFor([{ product: "/item-4" }, { product: "/item-5" }]);
    expect((await ask([{ product: "/item-4" }, { product: "/item-5" }], payment)).status).toBe(200);
    const other = await ask([{ product: "/item-3" }, { product: "/item-6" }], payment);
    expect([other.status, ((await other.json()) as { code: string }).code]).toEqual([402, "payment_already_used"]);
  });

  test("of a smaller basket does not buy a dearer one", async () => {
    const before = money.settlements();
    const refused = await ask(ALL, await signFor(ALL.slice(0, 2)));
    expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([402, "amount_mismatch"]);
    expect(money.settlements()).toBe(before);
  });
});

describe("refused before anything is paid", () => {
  const bad: readonly (readonly [string, unknown, string])[] = [
    ["21 items", Array.from({ length: 21 }, () => ({ product: "/item-1" })), "items"],
    ["the same twice", [{ product: "/item-1" }, { product: "item-1", params: {} }], "items[1]"],
    ["the same twice, once as its tool is called", [{ product: "/item-1" }, { product: "item_1" }], "items[1]"],
    ["an unknown product", [{ product: "/item-21" }], "items[0].product"],
    ["a wrong parameter", [{ product: "/item-1", params: { word: "?" } }], "items[0].params.word"],
    ["a plan", [{ product: "/day-pass" }], "items[0].product"],
    ["partial without a key", { items: ALL, partial: true }, "partial"],
  ];
  for (const [what, body, param] of bad) {
    test(`is ${what}: 422 without and with a payment, which stays good`, async () => {
      const payment = await signFor([{ product: "/item-2" }, { product: "/item-3" }]);
      const before = money.settlements();
      for (const headers of [{}, payment]) {
        const response = await ask(body, headers);
        const problem = (await response.json()) as { parameter: string; charged: boolean };
        expect([response.status, problem.parameter, problem.charged]).toEqual([422, param, false]);
      }
      expect(money.settlements()).toBe(before);
      expect((await ask([{ product: "/item-2" }, { product: "/item-3" }], payment)).status).toBe(200);
    });
  }

  test("is no empty body: that is told the lowest price", async () => {
    const response = await fetch(url, { method: "POST" });
    expect(response.status).toBe(402);
    expect(((await response.json()) as { accepts: { amount: string }[] }).accepts[0]?.amount).toBe("1000");
  });
});

describe("partial, by key", () => {
  const six = ALL.slice(0, 6);
  const sum = ITEM_PATHS.slice(0, 6).reduce((all, path) => all + priceOf(path), 0n);

  test("charges each delivered item as a call of its own, and says what failed", async () => {
    world.silent.add("/item-3");
    const items = anew(six);
    const key = await newKey();
    const response = await ask({ items, partial: true }, { "X-API-Key": key });
    expect(response.status).toBe(200);
    const charged = sum - priceOf("/item-3");
    expect(CREDIT - leftOf(response)).toBe(charged);
    const text = await response.text();
    const { data, warnings } = JSON.parse(text) as Answer;
    expect(data).toMatchObject({ delivered: 5, sum_atomic: charged.toString(), discount_atomic: "0" });
    expect(warnings).toEqual(["items[2] /item-3: failed"]);
    expect(data.items[2]).toMatchObject({ charged: false, error: { code: "upstream_unavailable" } });
    const delivered = data.items.filter((item): item is DeliveredItem => "answer" in item);
    expect(cutAnswers(text).map((bytes) => sha256Hex(bytes))).toEqual(delivered.map(({ sha256 }) => sha256));
    // Each is a call of the key: in its statement, and with its answer to be fetched again.
    const statement = (await (await fetch(`${money.url}/statement`, { headers: { "X-API-Key": key } })).json()) as {
      entries?: unknown;
    };
    for (const { receipt_id = "" } of delivered) expect(JSON.stringify(statement)).toContain(receipt_id);
  });

  test("is charged once under its Idempotency-Key: what failed is tried again, what was delivered is not", async () => {
    world.silent.add("/item-3");
    const items = anew(six);
    const headers = { "X-API-Key": await newKey(), "Idempotency-Key": "basket-of-monday" };
    const first = (await (await ask({ items, partial: true }, headers)).json()) as Answer;
    expect(first.data.delivered).toBe(5);
    world.silent.clear();
    const second = await ask({ items, partial: true }, headers);
    expect(CREDIT - leftOf(second)).toBe(sum);
    const { data } = (await second.json()) as Answer;
    expect(data.delivered).toBe(6);
    for (const [index, item] of first.data.items.entries()) {
      if ("answer" in item) expect(data.items[index]).toEqual(item);
    }
    const third = await ask({ items, partial: true }, headers);
    expect(CREDIT - leftOf(third)).toBe(sum);
    expect(((await third.json()) as Answer).data).toEqual(data);
  });

  test("of which nothing is delivered is refused, uncharged", async () => {
    world.silent.add("/item-1").add("/item-2");
    const key = await newKey();
    const response = await ask({ items: anew(six.slice(0, 2)), partial: true }, { "X-API-Key": key });
    expect([response.status, await response.json()]).toEqual([503, expect.objectContaining({ charged: false })]);
    const unknown = await ask({ items: six, partial: true }, { "X-API-Key": "ink_unknown" });
    expect([unknown.status, ((await unknown.json()) as { code: string }).code]).toEqual([402, "invalid_api_key"]);
  });

  test("that runs out of balance delivers what it could pay for", async () => {
    const key = await newKey();
    for (let spent = 0n; spent + PRICE < CREDIT; spent += PRICE) await ask(ALL, { "X-API-Key": key });
    const response = await ask({ items: ALL, partial: true }, { "X-API-Key": key });
    const { data } = (await response.json()) as Answer;
    const charged = BigInt(data.sum_atomic);
    expect(charged > 0n && charged < SUM).toBe(true);
    const refused = data.items.filter((item) => "error" in item);
    expect(refused.length).toBe(20 - data.delivered);
    for (const item of refused) expect(item).toMatchObject({ charged: false, error: { code: "insufficient_credits" } });
  });
});

describe("every door", () => {
  const items = [{ product: "/item-1" }, { product: "/item-2", view: "brief" }];
  const price = "2700";

  test("shows the basket with how its price is made", async () => {
    const pricing = (await (await fetch(`${money.url}/get-pricing`)).json()) as { products: { path: string }[] };
    expect(pricing.products.find(({ path }) => path === "/basket")).toMatchObject({
      method: "POST",
      price: "from",
      price_atomic: "1000",
      priced_by: "the sum of its items, less 10 % from two on",
    });
    const openapi = (await (await fetch(`${money.url}/openapi.json`)).json()) as {
      paths: Record<string, { post: { "x-payment-info": { price: unknown; offers?: { amount: unknown }[] } } }>;
    };
    const { price: shown, offers = [] } = openapi.paths["/basket"]?.post["x-payment-info"] ?? {};
    expect(shown).toEqual({ mode: "dynamic", currency: "USD", min: "0.001" });
    expect(offers.map(({ amount }) => amount)).toEqual([null]);
    for (const path of ["/llms-full.txt", "/.well-known/agent-card.json"]) {
      expect(await (await fetch(`${money.url}${path}`)).text()).toContain("less 10 % from two on");
    }
  });

  test("sells it by MCP, given as a list or as text", async () => {
    const [base] = PAYERS;
    if (!base) throw new Error("nobody pays");
    const args = { items };
    const unpaid = await callTool(money.url, "basket", { args });
    const { accepts } = unpaid.structuredContent as unknown as { accepts: { amount: string }[] };
    expect(accepts[0]?.amount).toBe(price);
    const payment = await payTool(money.url, "basket", await base.newPayer(money.url), args);
    const paid = await callTool(money.url, "basket", {
      args: { items: JSON.stringify(items) },
      meta: { "x402/payment": payment },
    });
    expect(paid.isError ?? false).toBe(false);
    const { data } = paid.structuredContent as unknown as Answer;
    expect(data.items.map(({ view }) => view)).toEqual([undefined, "brief"]);
    expect((data.items[1] as DeliveredItem).answer).toMatchObject({ view: { brief: true, left_out: ["rows"] } });
  });

  test("sells it by A2A", async () => {
    const [base] = PAYERS;
    const [, [, startA2A]] = A2A_BUYERS;
    if (!base) throw new Error("nobody pays");
    const client = await startA2A(money.url, {});
    const asked = await client.send({ skill: "basket", params: { items } });
    const metadata = await signA2A(asked, await base.newPayer(money.url));
    const done = await client.send({ task: asked.id, text: "Here it is.", metadata });
    expect((done.data as unknown as Answer).data.price_atomic).toBe(price);
  });
});
