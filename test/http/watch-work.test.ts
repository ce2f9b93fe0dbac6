import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { defineProduct } from "../../src/catalog/product.ts";
import { NodeError } from "../../src/core/errors.ts";
import { type MoneyNode, startMoneyNode } from "../helpers/money-node.ts";
import { noteSecret } from "../helpers/secrets.ts";

/** Watches cost the node nothing that nobody pays for: neither work, nor rows, nor calls to strangers. */
const PER_KEY = 20;
const PER_MINUTE = 30;
const MINUTE_MS = 60_000;

let runs = 0;
let is_dead = false;
const gauge = defineProduct({
  path: "/gauge",
  title: "Gauge",
  description: "A height by port.",
  category: "test",
  tags: [],
  price_usd: "0.01",
  params: Type.Object({
    port: Type.Optional(Type.String({ maxLength: 20 })),
    detail: Type.Union([Type.Literal("plain"), Type.Literal("deep")], { default: "plain" }),
  }),
  tiers: { param: "detail", prices: { deep: "0.05" } },
  data: Type.Object({ height: Type.Number() }),
  example: { params: { detail: "plain" }, as_of: "2026-01-01T00:00:00Z", data: { height: 1 } },
  providers: [],
  requires: [],
  ttl: "1m",
  deadline_ms: 5_000,
  preview: { every: "24h" },
  fetch: async () => {
    runs += 1;
    if (is_dead) throw new NodeError("upstream_unavailable", "The gauge is silent. Nothing was charged.");
    return runs;
  },
  compute: (height, { now_ms }) => ({ as_of_ms: now_ms, data: { height }, warnings: [] }),
});

let money: MoneyNode;
beforeEach(async () => {
  money = await startMoneyNode(`[watch]\nper_key = ${PER_KEY}`, undefined, { products: [gauge] });
  runs = 0;
  is_dead = false;
});
afterEach(() => money.stop());

const withKey = (api_key: string) => ({ "X-API-Key": api_key });
async function post(path: string, body: unknown, headers: Record<string, string>): Promise<Response> {
  const sent = { "content-type": "application/json", ...headers };
  return fetch(`${money.url}${path}`, { method: "POST", headers: sent, body: JSON.stringify(body) });
}
async function issue(credit_usd: string): Promise<string> {
  const operator = { authorization: `Bearer ${money.node.operator_token}` };
  const response = await post("/admin/keys", { command: "issue", credit_usd }, operator);
  const { api_key } = (await response.json()) as { readonly api_key: string };
  noteSecret(api_key);
  return api_key;
}
async function mint(parent: string): Promise<string> {
  const { api_key } = (await (await post("/keys", {}, withKey(parent))).json()) as { readonly api_key: string };
  noteSecret(api_key);
  return api_key;
}
async function balance(api_key: string): Promise<number> {
  const response = await fetch(`${money.url}/credits-status`, { headers: withKey(api_key) });
  return Number(((await response.json()) as { readonly balance_atomic: string }).balance_atomic);
}

interface ShownWatch {
  readonly watch: string;
  readonly last_error: string | null;
  readonly price_told_usd: string;
  readonly spent_usd: string;
  readonly next_at: string;
  readonly webhook_secret?: string;
}
const ORDER = { product: "/gauge", every: "1m", budget_usd: "1" };
async function set(api_key: string, order: object = {}): Promise<ShownWatch> {
  const response = await post("/watch", { ...ORDER, ...order }, withKey(api_key));
  const body = (await response.json()) as ShownWatch;
  expect(response.status, JSON.stringify(body)).toBe(201);
  return body;
}
const ports = (count: number) => Array.from({ length: count }, (_, n) => ({ params: { port: `p${n}` } }));
const read = async (api_key: string, { watch }: ShownWatch): Promise<ShownWatch> =>
  (await (await fetch(`${money.url}/watch/${watch}`, { headers: withKey(api_key) })).json()) as ShownWatch;
interface Page {
  readonly items: readonly ShownWatch[];
  readonly next_before: string | null;
}
const list = async (api_key: string, query = ""): Promise<Page> =>
  (await (await fetch(`${money.url}/watch${query}`, { headers: withKey(api_key) })).json()) as Page;
async function passMinutes(count: number): Promise<void> {
  for (let minute = 0; minute < count; minute += 1) {
    money.clock.advance(MINUTE_MS);
    await money.node.checkWatches();
  }
}

describe("work", () => {
  test("is done for no key that cannot pay for it", async () => {
    const key = await issue("0.000001");
    const watches = [];
    for (const order of ports(PER_KEY)) watches.push(await set(key, order));
    await money.node.checkWatches();
    await passMinutes(10);
    expect(runs).toBe(0);
    const [first] = watches;
    expect(first && (await read(key, first)).last_error).toContain("can be spent");
    expect(await balance(key)).toBe(1);
  });

  test("is done for as many at once as the balance covers", async () => {
    const key = await issue("0.035");
    for (const order of ports(PER_KEY)) await set(key, order);
    await money.node.checkWatches();
    expect(runs).toBe(3);
    expect(await balance(key)).toBe(5_000);
    expect(await money.node.audit()).toMatchObject({ ok: true });
  });

  test("that ends uncharged is counted against its key, and a silent source is asked less and less", async () => {
    money.node.setLimits(true);
    is_dead = true;
    const [key, other] = [await issue("1"), await issue("1")];
    for (const order of ports(PER_KEY)) await set(key, { ...order, budget_usd: "0.5" });
    await money.node.checkWatches();
    await money.node.checkWatches();
    expect(runs).toBeLessThanOrEqual(PER_MINUTE);
    const alone = await set(other);
    runs = 0;
    await passMinutes(240);
    // Twenty watches and one, four hours: 5,040 marks.
    expect(runs).toBeLessThan(21 * 20);
    is_dead = false;
    expect((await post(`/watch/${alone.watch}/resume`, {}, withKey(other))).status).toBe(200);
    await passMinutes(1);
    expect((await read(other, alone)).spent_usd).toBe("0.01");
    expect([await balance(key), await balance(other)]).toEqual([1_000_000, 990_000]);
  });

  test("costs the price of its parameters", async () => {
    const key = await issue("1");
    const deep = { params: { detail: "deep" } };
    expect((await post("/watch", { ...ORDER, ...deep, budget_usd: "0.04" }, withKey(key))).status).toBe(422);
    const watch = await set(key, deep);
    expect(watch.price_told_usd).toBe("0.05");
    await money.node.checkWatches();
    expect((await read(key, watch)).spent_usd).toBe("0.05");
    expect(await balance(key)).toBe(950_000);
  });
});

describe("rows", () => {
  const daily = { every: undefined, cron: "0 7 * * *" };

  test("of a key and the keys below it are bounded together", async () => {
    const key = await issue("1");
    const child = await mint(key);
    for (let count = 0; count < PER_KEY / 2; count += 1) {
      await set(key, daily);
      await set(child, daily);
    }
    for (const full of [key, child, await mint(key)]) {
      expect((await post("/watch", { ...ORDER, ...daily }, withKey(full))).status).toBe(429);
    }
  });

  test("of watches that ended are as many as may live; the list has pages", async () => {
    const key = await issue("1");
    for (let count = 0; count < 3 * PER_KEY; count += 1) {
      money.clock.advance(1);
      const { watch } = await set(key, daily);
      await fetch(`${money.url}/watch/${watch}`, { method: "DELETE", headers: withKey(key) });
    }
    money.clock.advance(1);
    const last = await set(key, daily);
    const all = await list(key);
    expect(all.items).toHaveLength(PER_KEY + 1);
    expect(all.items[0]?.watch).toBe(last.watch);
    const paged: string[] = [];
    for (let query: string | null = "?limit=8"; query !== null; ) {
      const { items, next_before } = await list(key, query);
      paged.push(...items.map(({ watch }) => watch));
      query = next_before && `?limit=8&before=${next_before}`;
    }
    expect(paged).toEqual(all.items.map(({ watch }) => watch));
    for (const wrong of ["?before=wat_1", "?limit=0", "?limit=201", "?page=2"]) {
      const response = await fetch(`${money.url}/watch${wrong}`, { headers: withKey(key) });
      expect([wrong, response.status]).toEqual([wrong, 422]);
    }
  });
});

describe("a receiver that a buyer names", () => {
  test("is asked so often in vain, and no more", async () => {
    money.node.setLimits(true);
    const key = await issue("1");
    const statuses: number[] = [];
    for (let n = 0; n < PER_MINUTE + 10; n += 1) {
      statuses.push((await post("/watch", { ...ORDER, webhook: "https://127.0.0.1:9/" }, withKey(key))).status);
    }
    expect(statuses.filter((status) => status === 422).length).toBeLessThanOrEqual(PER_MINUTE);
    expect(statuses.at(-1)).toBe(429);
  });
});

describe("a watch that is set under a name", () => {
  test("is set once, however often it is sent", async () => {
    const key = await issue("1");
    const named = { ...withKey(key), "Idempotency-Key": "order-1" };
    const [one, two] = await Promise.all([post("/watch", ORDER, named), post("/watch", ORDER, named)]);
    const again = await post("/watch", { budget_usd: "1", every: "1m", product: "/gauge" }, named);
    const watches = await Promise.all([one, two, again].map(async (response) => (await response.json()) as ShownWatch));
    expect([one.status, two.status, again.status]).toEqual([201, 201, 201]);
    expect(again.headers.get("x-idempotent-replay")).toBe("true");
    expect(new Set(watches.map(({ watch }) => watch)).size).toBe(1);
    expect((await list(key)).items).toHaveLength(1);
    const other = await post("/watch", { ...ORDER, budget_usd: "2" }, named);
    expect([other.status, ((await other.json()) as { readonly code: string }).code]).toEqual([
      409,
      "identifier_conflict",
    ]);
    const long = { ...withKey(key), "Idempotency-Key": "x".repeat(256) };
    expect((await post("/watch", ORDER, long)).status).toBe(422);
    expect((await list(key)).items).toHaveLength(1);
  });

  test("is another one for another key", async () => {
    const [key, other] = [await issue("1"), await issue("1")];
    for (const sender of [key, other]) {
      const response = await post("/watch", ORDER, { ...withKey(sender), "Idempotency-Key": "order-1" });
      expect(response.headers.get("x-idempotent-replay")).toBeNull();
    }
    expect([(await list(key)).items.length, (await list(other)).items.length]).toEqual([1, 1]);
  });
});
