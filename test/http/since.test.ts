import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { defineProduct } from "../../src/catalog/product.ts";
import { canonicalJSON, sha256Hex } from "../../src/core/hash.ts";
import { applyMergePatch } from "../../src/core/merge-patch.ts";
import { diffAnswers } from "../../src/recompute/diff.ts";
import { makeAgain, type Recipe } from "../../src/recompute/recipe.ts";
import { createBuyer, settlementOf, startChannelNode } from "../helpers/channel-buyers.ts";
import { until } from "../helpers/hang-limit.ts";
import { callTool } from "../helpers/mcp.ts";
import type { MoneyNode } from "../helpers/money-node.ts";
import { PAYERS, type Payer, payFor } from "../helpers/payers.ts";
import { noteSecret } from "../helpers/secrets.ts";

/** What changed since an answer somebody bought, in the place of all of it. */
type Row = { readonly n: number; readonly a: number | null };
interface Data {
  readonly height: number;
  readonly name: string | null;
  readonly more: { readonly [name: string]: number };
  readonly rows: readonly Row[];
}
const TEXT = "a text that stays as it is, long enough that a patch is the shorter one".repeat(40);
const FIRST: Data & { readonly text: string } = {
  height: 1,
  name: "one",
  more: { a: 1, b: 2 },
  rows: [{ n: 1, a: null }],
  text: TEXT,
};
let now: Data & { readonly text: string } = FIRST;

const tide = defineProduct({
  path: "/tide",
  title: "Tide",
  description: "Figures that change.",
  category: "test",
  tags: [],
  price_usd: "0.01",
  params: Type.Object({ port: Type.Optional(Type.String({ maxLength: 20 })) }),
  data: Type.Object({
    height: Type.Number(),
    name: Type.Union([Type.String(), Type.Null()]),
    more: Type.Record(Type.String(), Type.Number()),
    rows: Type.Array(Type.Object({ n: Type.Number(), a: Type.Union([Type.Number(), Type.Null()]) })),
    text: Type.String(),
  }),
  long: ["text"],
  example: { params: {}, as_of: "2026-01-01T00:00:00Z", data: { ...FIRST, rows: [...FIRST.rows] } },
  providers: [],
  requires: [],
  ttl: "0s",
  deadline_ms: 5_000,
  preview: { every: "1h", delay: "0s" },
  fetch: async () => now,
  compute: (data, { now_ms }) => ({ as_of_ms: now_ms, data: { ...data, rows: [...data.rows] }, warnings: [] }),
});
const other = defineProduct({ ...tide, path: "/other" });

const PRICE = 10_000n;
let money: MoneyNode;
let key = "";
beforeAll(async () => {
  money = await startChannelNode({ products: [tide, other] });
  key = await issue();
});
afterAll(() => money.stop());

async function issue(): Promise<string> {
  const response = await fetch(`${money.url}/admin/keys`, {
    method: "POST",
    headers: { authorization: `Bearer ${money.node.operator_token}`, "content-type": "application/json" },
    body: JSON.stringify({ command: "issue", credit_usd: "1" }),
  });
  const { api_key } = (await response.json()) as { readonly api_key: string };
  noteSecret(api_key);
  return api_key;
}

interface Sold {
  readonly status: number;
  readonly id: string;
  readonly text: string;
  readonly body: {
    readonly data?: unknown;
    readonly charged?: unknown;
    readonly code?: string;
    readonly param?: string;
    readonly changes?: {
      readonly unchanged: boolean;
      readonly patch: unknown;
      readonly base_sha256: string;
      readonly result_sha256: string;
      readonly answer_sha256: string;
      readonly charged_usd: string;
    };
  };
}
async function read(response: Response): Promise<Sold> {
  const text = await response.text();
  return { status: response.status, id: response.headers.get("X-Receipt-Id") ?? "", text, body: JSON.parse(text) };
}
const byKey = async (query: string, api_key = key, path = "/tide") => {
  // No two answers are of one moment: they could be the same byte for byte, whatever was asked.
  money.clock.advance(1);
  return read(await fetch(`${money.url}${path}${query}`, { headers: { "X-API-Key": api_key } }));
};
async function balance(api_key = key): Promise<bigint> {
  const response = await fetch(`${money.url}/credits-status`, { headers: { "X-API-Key": api_key } });
  return BigInt(((await response.json()) as { balance_atomic: string }).balance_atomic);
}
const newPayer = async (url = money.url): Promise<Payer> => {
  const [base] = PAYERS;
  if (!base) throw new Error("nobody pays");
  return base.newPayer(url);
};
const byPayment = async (payer: Payer, query: string) => {
  const url = `${money.url}/tide${query}`;
  return read(await fetch(url, { headers: await payFor(url, payer, 2) }));
};
const hashOf = (value: unknown) => sha256Hex(canonicalJSON(value));

/** What a buyer does with it: apply, and compare both hashes. */
function follow(base: unknown, { body: { changes, data } }: Sold): unknown {
  if (!changes) throw new Error("no changes");
  expect(hashOf(base)).toBe(changes.base_sha256);
  const result = changes.unchanged ? base : changes.patch === null ? data : applyMergePatch(base, changes.patch);
  expect(hashOf(result)).toBe(changes.result_sha256);
  return result;
}

describe("a key", () => {
  test("pays the price for a patch that makes the new data of the old, and a tenth when nothing changed", async () => {
    now = FIRST;
    const first = await byKey("");
    now = { ...FIRST, height: 2, more: { b: 3 }, rows: [{ n: 2, a: 5 }] };
    const before = await balance();
    const second = await byKey(`?since=${first.id}`);
    expect(second.body.data).toBeUndefined();
    expect(second.body.changes).toMatchObject({
      since: first.id,
      unchanged: false,
      charged_usd: "0.01",
      patch: { height: 2, more: { a: null, b: 3 }, rows: [{ n: 2, a: 5 }] },
    });
    expect(follow(first.body.data, second)).toEqual(now);
    expect(before - (await balance())).toBe(PRICE);
    expect(second.text.length).toBeLessThan(first.text.length);
    // From an answer that says only what changed one goes on as well.
    const third = await byKey(`?since=${second.id}`);
    expect(third.body.changes).toMatchObject({ unchanged: true, patch: null, charged_usd: "0.001" });
    expect(follow(now, third)).toEqual(now);
    expect(before - (await balance())).toBe(PRICE + PRICE / 10n);
    now = { ...now, name: "two" };
    const fourth = await byKey(`?since=${third.id}`);
    expect(fourth.body.changes?.patch).toEqual({ name: "two" });
    expect(follow({ ...now, name: "one" }, fourth)).toEqual(now);
  });

  test("gets the whole data where a patch cannot say what changed, or is the longer one", async () => {
    now = FIRST;
    const { id, body } = await byKey("");
    now = { ...FIRST, name: null };
    const emptied = await byKey(`?since=${id}`);
    expect(emptied.body.changes).toMatchObject({ unchanged: false, patch: null });
    expect(emptied.body.data).toEqual(now);
    expect(follow(body.data, emptied)).toEqual(now);
    now = { height: 9, name: "nine", more: {}, rows: [], text: "" };
    expect((await byKey(`?since=${id}`)).body).toMatchObject({ changes: { patch: null }, data: now });
  });

  test("named once, is answered the same again, and charged once", async () => {
    now = FIRST;
    const { id } = await byKey("");
    const before = await balance();
    const headers = { "X-API-Key": key, "Idempotency-Key": crypto.randomUUID() };
    const ask = async () => read(await fetch(`${money.url}/tide?since=${id}`, { headers }));
    const [one, two] = [await ask(), await ask()];
    expect(two.text).toBe(one.text);
    expect(two.id).toBe(one.id);
    expect(before - (await balance())).toBe(PRICE / 10n);
  });

  test("is refused, uncharged, for an answer of another buyer or another question, or for none", async () => {
    now = FIRST;
    const stranger = await byKey("", await issue());
    const of_port = await byKey("?port=a");
    const of_brief = await byKey("?view=brief");
    const of_other = await byKey("", key, "/other");
    const paid = await byPayment(await newPayer(), "");
    const before = await balance();
    for (const since of [stranger.id, of_port.id, of_brief.id, of_other.id, paid.id, "call_1", "voucher_1"]) {
      const refused = await byKey(`?since=${since}`);
      expect([refused.status, refused.body.code, refused.body.param]).toEqual([422, "invalid_parameter", "since"]);
    }
    for (const query of ["?since=call_1&since=call_2", "?since=../1", `?preview=1&since=${of_port.id}`]) {
      expect((await byKey(query)).status).toBe(422);
    }
    expect(await balance()).toBe(before);
    expect((await byKey(`?port=a&since=${of_port.id}`)).body.changes).toMatchObject({ unchanged: true });
    expect((await byKey(`?view=brief&since=${of_brief.id}`)).body.changes).toMatchObject({ unchanged: true });
  });

  test("that cannot pay gets nothing, and nothing stays set aside", async () => {
    now = FIRST;
    const poor = await issue();
    const { id } = await byKey("", poor);
    const left = await balance(poor);
    for (let n = left; n >= PRICE; n -= PRICE) await byKey("", poor, "/other");
    expect(await balance(poor)).toBe(0n);
    expect((await byKey(`?since=${id}`, poor)).status).toBe(402);
    expect((await money.node.audit()).findings).toEqual([]);
  });
});

describe("a signed payment", () => {
  test("buys what changed at the price, and is not settled when nothing did", async () => {
    now = FIRST;
    const payer = await newPayer();
    const first = await byPayment(payer, "");
    const settled = money.settlements();
    const same = await byPayment(payer, `?since=${first.id}`);
    expect(same.status).toBe(200);
    expect(same.id).toBe("");
    expect(same.body.changes).toMatchObject({ unchanged: true, patch: null, charged_usd: "0.00" });
    expect(money.settlements()).toBe(settled);
    now = { ...FIRST, height: 7 };
    const changed = await byPayment(payer, `?since=${first.id}`);
    expect(changed.body.changes).toMatchObject({ patch: { height: 7 }, charged_usd: "0.01" });
    expect(follow(first.body.data, changed)).toEqual(now);
    expect(money.settlements()).toBe(settled + 1);
    now = { ...FIRST, height: 8 };
    const next = await byPayment(payer, `?since=${changed.id}`);
    expect(next.body.changes?.patch).toEqual({ height: 8 });
    // Of somebody else's payment nobody learns anything.
    const refused = await byPayment(await newPayer(), `?since=${first.id}`);
    expect([refused.status, refused.body.code]).toEqual([422, "invalid_parameter"]);
    expect((await money.node.audit()).findings).toEqual([]);
  });

  test("pays for one thing: what changed since one answer is no other answer, and not the whole", async () => {
    now = FIRST;
    const payer = await newPayer();
    const first = await byPayment(payer, "");
    now = { ...FIRST, height: 5 };
    const url = `${money.url}/tide?since=${first.id}`;
    const headers = await payFor(url, payer, 2);
    const sold = await read(await fetch(url, { headers }));
    expect((await read(await fetch(url, { headers }))).text).toBe(sold.text);
    for (const query of ["", `?since=${sold.id}`]) {
      const refused = await read(await fetch(`${money.url}/tide${query}`, { headers }));
      expect([refused.status, refused.body.code]).toEqual([402, "payment_already_used"]);
    }
  });
});

test("a channel pays the price for what changed, and a tenth of its voucher when nothing did", async () => {
  now = FIRST;
  const buyer = createBuyer(money);
  const first = await read(await buyer.buy(`${money.url}/tide`));
  expect(first.id).toMatch(/^voucher_/);
  const unchanged = await buyer.buy(`${money.url}/tide?since=${first.id}`);
  expect(settlementOf(unchanged).extra).toMatchObject({
    chargedAmount: "1000",
    channelState: { chargedCumulativeAmount: "11000" },
  });
  const same = await read(unchanged);
  expect(same.body.changes).toMatchObject({ unchanged: true, charged_usd: "0.001" });
  now = { ...FIRST, height: 4 };
  // The official client signs on from what was charged.
  const changed = await read(await buyer.buy(`${money.url}/tide?since=${same.id}`));
  expect(changed.body.changes).toMatchObject({ patch: { height: 4 }, charged_usd: "0.01" });
  now = { ...FIRST, height: 5 };
  // Further back than its last call, too.
  const again = await read(await buyer.buy(`${money.url}/tide?since=${first.id}`));
  expect(again.body.changes?.patch).toEqual({ height: 5 });
  const strange = createBuyer(money);
  const refused = await read(await strange.buy(`${money.url}/tide?since=${first.id}`));
  expect([refused.status, refused.body.code]).toEqual([422, "invalid_parameter"]);
  expect((await money.node.audit()).findings).toEqual([]);
});

test("what said only what changed is made again from its bundle, byte for byte", async () => {
  now = FIRST;
  const { id } = await byKey("?view=brief");
  now = { ...FIRST, height: 6 };
  const sold = await byKey(`?view=brief&since=${id}`);
  const url = `${money.url}/receipts/${sold.id}/bundle`;
  const ask = () => fetch(url, { headers: { "X-API-Key": key } });
  await until(async () => (await ask()).status === 200, "the bundle");
  const { recipe, inputs, answer } = (await (await ask()).json()) as {
    readonly recipe: Recipe;
    readonly inputs: string;
    readonly answer: string;
  };
  expect(answer).toBe(sold.text);
  const product = money.node.catalog.products.find(({ path }) => path === "/tide");
  if (!product) throw new Error("no product");
  expect(diffAnswers(answer, makeAgain(product, recipe, inputs))).toEqual([]);
});

test("a tool takes it, too, for the same answers", async () => {
  now = FIRST;
  const { id } = await byKey("?view=brief");
  const args = { since: id, view: "brief" };
  const { structuredContent } = await callTool(money.url, "tide", { args, headers: { "X-API-Key": key } });
  expect(structuredContent).toMatchObject({ changes: { since: id, unchanged: true } });
});

test("products without an envelope, keys and passes have no such parameter", async () => {
  const refused = await read(await fetch(`${money.url}/buy-credits?since=rcp_1`));
  expect([refused.status, refused.body.code]).toEqual([422, "unknown_parameter"]);
});
