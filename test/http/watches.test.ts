import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { defineProduct } from "../../src/catalog/product.ts";
import { NodeError } from "../../src/core/errors.ts";
import { sha256Hex } from "../../src/core/hash.ts";
import { until } from "../helpers/hang-limit.ts";
import { type MoneyNode, startMoneyNode } from "../helpers/money-node.ts";
import { noteSecret } from "../helpers/secrets.ts";

/** A question the node asks again and again for a key, paid by what it told. */
const PRICE = 10_000n;
const IDLE = 1_000n;
const HOUR_MS = 3_600_000;

let height = 10;
let is_dead = false;
let runs = 0;
const tide = defineProduct({
  path: "/tide",
  title: "Tide",
  description: "A height that changes.",
  category: "test",
  tags: [],
  price_usd: "0.01",
  params: Type.Object({ port: Type.Optional(Type.String({ maxLength: 20 })) }),
  data: Type.Object({ height: Type.Number(), state: Type.Union([Type.Literal("ebb"), Type.Literal("flood")]) }),
  example: { params: {}, as_of: "2026-01-01T00:00:00Z", data: { height: 1, state: "ebb" } },
  providers: [],
  requires: [],
  ttl: "1m",
  deadline_ms: 5_000,
  preview: { every: "24h" },
  fetch: async () => {
    runs += 1;
    if (is_dead) throw new NodeError("upstream_unavailable", "The gauge is silent. Nothing was charged.");
    return height;
  },
  compute: (metres, { now_ms }) => ({
    as_of_ms: now_ms,
    data: { height: metres, state: metres > 20 ? ("flood" as const) : ("ebb" as const) },
    warnings: [],
  }),
});

let money: MoneyNode;
beforeAll(async () => {
  money = await startMoneyNode("[watch]\nper_key = 20", undefined, { products: [tide] });
});
afterAll(() => money.stop());

async function post(path: string, body: unknown, headers: Record<string, string>): Promise<Response> {
  const sent = { "content-type": "application/json", ...headers };
  return fetch(`${money.url}${path}`, { method: "POST", headers: sent, body: JSON.stringify(body) });
}
async function issue(credit_usd = "1"): Promise<string> {
  const operator = { authorization: `Bearer ${money.node.operator_token}` };
  const response = await post("/admin/keys", { command: "issue", credit_usd }, operator);
  const { api_key } = (await response.json()) as { readonly api_key: string };
  noteSecret(api_key);
  return api_key;
}
const withKey = (api_key: string) => ({ "X-API-Key": api_key });
async function balance(api_key: string): Promise<bigint> {
  const response = await fetch(`${money.url}/credits-status`, { headers: withKey(api_key) });
  return BigInt(((await response.json()) as { balance_atomic: string }).balance_atomic);
}

interface ShownWatch {
  readonly watch: string;
  readonly state: string;
  readonly ended: string | null;
  readonly evaluations: number;
  readonly told: number;
  readonly spent_usd: string;
  readonly failed_in_a_row: number;
  readonly last_error: string | null;
}
interface ShownEvent {
  readonly seq: number;
  readonly kind: string;
  readonly why?: string;
  readonly missed?: number;
  readonly looked?: readonly unknown[];
  readonly charged_usd?: string;
  readonly receipt_id?: string;
  readonly answer?: { readonly product: string; readonly data: { readonly height: number } };
}
const ORDER = { product: "/tide", every: "1h", budget_usd: "1" };
async function set(api_key: string, order: object): Promise<ShownWatch> {
  const response = await post("/watch", { ...ORDER, ...order }, withKey(api_key));
  const body = (await response.json()) as ShownWatch;
  expect(response.status, JSON.stringify(body)).toBe(201);
  return body;
}
const read = async (api_key: string, { watch }: Pick<ShownWatch, "watch">): Promise<ShownWatch> =>
  (await (await fetch(`${money.url}/watch/${watch}`, { headers: withKey(api_key) })).json()) as ShownWatch;
async function events(
  api_key: string,
  { watch }: Pick<ShownWatch, "watch">,
  after = "",
): Promise<readonly ShownEvent[]> {
  const response = await fetch(`${money.url}/watch/${watch}/events${after}`, { headers: withKey(api_key) });
  return ((await response.json()) as { readonly events: readonly ShownEvent[] }).events;
}
/** Sets watches while the height is the first one; each further one is what it is an hour later. */
async function live<T>([first = 0, ...later]: readonly number[], setWatches: () => Promise<T>): Promise<T> {
  height = first;
  const set_watches = await setWatches();
  await money.node.checkWatches();
  for (const metres of later) await passHour(metres);
  return set_watches;
}
/** The node's own job may look at any time: the height is there before its hour is. */
async function passHour(metres: number, hours = 1): Promise<void> {
  height = metres;
  money.clock.advance(hours * HOUR_MS);
  await money.node.checkWatches();
}

describe("what is told, and what it costs", () => {
  test("each turn once, with the values before and after; what tells nothing costs a tenth", async () => {
    const key = await issue();
    const watch = await live([10, 11, 25, 26, 12], () => set(key, { condition: { field: "state", op: "changed" } }));
    const told = await events(key, watch);
    expect(told.map(({ seq, kind, answer }) => [seq, kind, answer?.data.height])).toEqual([
      [1, "told", 25],
      [2, "told", 12],
    ]);
    expect(told[0]?.looked).toEqual([{ field: "state", before: "ebb", now: "flood" }]);
    expect(told[0]?.charged_usd).toBe("0.01");
    const { evaluations, told: count, spent_usd } = await read(key, watch);
    expect([evaluations, count, spent_usd]).toEqual([5, 2, "0.023"]);
    expect(await balance(key)).toBe(1_000_000n - 2n * PRICE - 3n * IDLE);
    await stop(key, watch);
  });

  test("a state is told when it begins, each time with repeat", async () => {
    const key = await issue();
    const condition = { field: "height", op: ">", value: 20 };
    const [once, each] = await live(
      [10, 25, 26, 12, 30],
      async () => [await set(key, { condition }), await set(key, { condition, repeat: true })] as const,
    );
    const heights = async (watch: ShownWatch) => (await events(key, watch)).map(({ answer }) => answer?.data.height);
    expect(await heights(once)).toEqual([25, 30]);
    expect(await heights(each)).toEqual([25, 26, 30]);
    await stop(key, once, each);
  });

  test("without a condition each mark is told; one run serves all who ask the same", async () => {
    const key = await issue();
    const other = await issue();
    // Past what is kept of earlier answers.
    money.clock.advance(HOUR_MS);
    const before = runs;
    const [one, two] = await live([10], async () => [await set(key, {}), await set(other, {})] as const);
    expect(runs - before).toBe(1);
    expect([(await read(key, one)).told, (await read(other, two)).told]).toEqual([1, 1]);
    expect([await balance(key), await balance(other)]).toEqual([1_000_000n - PRICE, 1_000_000n - PRICE]);
    await stop(key, one);
    await stop(other, two);
  });

  test("the receipt of what was told is fetched again as any call of the key", async () => {
    const key = await issue();
    const watch = await live([17], () => set(key, { view: "brief" }));
    const [told] = await events(key, watch);
    const response = await fetch(`${money.url}/payments/${told?.receipt_id}`, { headers: withKey(key) });
    const again = (await response.json()) as { readonly answer?: unknown };
    expect(sha256Hex(JSON.stringify(again.answer))).toBe(sha256Hex(JSON.stringify(told?.answer)));
    await stop(key, watch);
  });

  test("the budget ends it before more is asked for", async () => {
    const key = await issue();
    const watch = await live([1, 2, 3, 4], () => set(key, { budget_usd: "0.025" }));
    const { state, ended, spent_usd } = await read(key, watch);
    expect([state, ended, spent_usd]).toEqual(["ended", "budget_spent", "0.02"]);
    expect((await events(key, watch)).map(({ kind, why }) => why ?? kind)).toEqual(["told", "told", "budget_spent"]);
    expect(await balance(key)).toBe(1_000_000n - 2n * PRICE);
  });
});

describe("what costs nothing", () => {
  test("a dead source; told after three runs, once, and the change is told when it is back", async () => {
    const key = await issue();
    const watch = await live([10], () => set(key, { condition: { field: "height", op: "changed" } }));
    is_dead = true;
    for (const metres of [10, 11, 12, 13]) await passHour(metres);
    const failing = await read(key, watch);
    expect([failing.failed_in_a_row, failing.evaluations, failing.state]).toEqual([4, 1, "active"]);
    expect(failing.last_error).toContain("silent");
    is_dead = false;
    await passHour(14);
    expect((await events(key, watch)).map(({ kind, answer }) => answer?.data.height ?? kind)).toEqual(["failing", 14]);
    expect(await balance(key)).toBe(1_000_000n - PRICE - IDLE);
    await stop(key, watch);
  });

  test("a balance that is empty: nothing is told, and nothing is lost once it is filled", async () => {
    const key = await issue("0.0105");
    const watch = await live([10, 11], () => set(key, { condition: { field: "height", op: "changed" } }));
    const { last_error, told } = await read(key, watch);
    expect(told).toBe(0);
    expect(last_error).toContain("can be spent");
    expect(await balance(key)).toBe(9_500n);
    await stop(key, watch);
  });

  test("setting, looking, pausing and ending", async () => {
    const key = await issue();
    const watch = await set(key, { every: undefined, cron: "0 * * * *" });
    expect((await post(`/watch/${watch.watch}/pause`, {}, withKey(key))).status).toBe(200);
    for (const metres of [1, 2]) await passHour(metres);
    expect((await read(key, watch)).evaluations).toBe(0);
    expect((await post(`/watch/${watch.watch}/resume`, {}, withKey(key))).status).toBe(200);
    await stop(key, watch);
    expect((await events(key, watch)).map(({ why }) => why)).toEqual(["cancelled"]);
    expect((await post(`/watch/${watch.watch}/resume`, {}, withKey(key))).status).toBe(409);
    expect(await balance(key)).toBe(1_000_000n);
  });
});

test("/metrics has the number of watches", async () => {
  const key = await issue();
  const watch = await live([1, 2], () => set(key, {}));
  const headers = { authorization: `Bearer ${money.node.operator_token}` };
  const text = await (await fetch(`${money.url}/metrics`, { headers })).text();
  expect(text).toMatch(/watches\{state="active"\} [1-9]/);
  expect(text).toMatch(/watch_events_told [1-9]/);
  expect(text).toMatch(/watch_webhooks\{state="parked"\} 0/);
  await stop(key, watch);
});

test("what was slept through is told once, with its number", async () => {
  const key = await issue();
  const watch = await live([1], () => set(key, {}));
  await passHour(2, 6);
  expect((await events(key, watch)).map(({ missed }) => missed)).toEqual([0, 5]);
  expect(await balance(key)).toBe(1_000_000n - 2n * PRICE);
  await stop(key, watch);
});

describe("whose it is", () => {
  test("another key sees nothing, the key above it everything", async () => {
    const [key, other] = [await issue(), await issue()];
    const response = await post("/keys", { label: "worker" }, withKey(key));
    const { api_key: child } = (await response.json()) as { readonly api_key: string };
    noteSecret(child);
    const watch = await live([1], () => set(child, {}));
    const look = async (api_key: string) =>
      (await fetch(`${money.url}/watch/${watch.watch}`, { headers: withKey(api_key) })).status;
    expect([await look(child), await look(key), await look(other), await look("ink_no")]).toEqual([200, 200, 404, 404]);
    expect(await balance(key)).toBe(1_000_000n - PRICE);
    await stop(key, watch);
  });

  test("a key that is revoked ends its watches, and pays no more", async () => {
    const key = await issue();
    const { api_key, key_id } = (await (await post("/keys", {}, withKey(key))).json()) as {
      readonly api_key: string;
      readonly key_id: string;
    };
    noteSecret(api_key);
    const watch = await set(api_key, { every: undefined, cron: "0 * * * *" });
    await fetch(`${money.url}/keys/${key_id}`, { method: "DELETE", headers: withKey(key) });
    await passHour(1);
    expect((await read(key, watch)).ended).toBe("key_ended");
    expect(await balance(key)).toBe(1_000_000n);
  });

  test("a key has so many watches, and no more", async () => {
    const key = await issue();
    const all: ShownWatch[] = [];
    const daily = { every: undefined, cron: "0 7 * * *" };
    for (let count = 0; count < 20; count += 1) all.push(await set(key, daily));
    expect((await post("/watch", ORDER, withKey(key))).status).toBe(429);
    await stop(key, ...all);
    await stop(key, await set(key, daily));
  });
});

const BAD: readonly (readonly [object, string, string])[] = [
  [{ product: "/tid" }, "product", "/tide"],
  [{ product: "/basket" }, "product", "cannot be watched"],
  [{ product: "/buy-credits" }, "product", "cannot be watched"],
  [{ params: { prot: "x" } }, "params.prot", "port"],
  [{ condition: { field: "hight", op: "changed" } }, "condition.field", "height"],
  [{ condition: { field: "state", op: "==", value: "low" } }, "condition.value", "ebb, flood"],
  [{ every: "30s" }, "every", "60s"],
  [{ every: undefined }, "every", "cron"],
  [{ every: undefined, cron: "0 7 * * *", time_zone: "Brazil/Sao_Paulo" }, "cron", "cannot be read"],
  [{ budget_usd: "0.009" }, "budget_usd", "0.01"],
  [{ budget_usd: 1 }, "budget_usd", "string"],
  [{ budget_usd: undefined }, "budget_usd", "it is needed"],
  [{ until: "yesterday" }, "until", "ISO 8601"],
  [{ until: "2099-01-01" }, "until", "within a year"],
  [{ webhook: "http://x.example" }, "webhook", ""],
];
test.each(BAD)("%j is refused before anything is paid", async (wrong, param, said) => {
  const key = await issue("0.02");
  const response = await post("/watch", { ...ORDER, ...wrong }, withKey(key));
  const body = (await response.json()) as { readonly param?: string; readonly detail?: string };
  expect([response.status, body.param]).toEqual([422, param]);
  expect(body.detail).toContain(said);
  expect(await balance(key)).toBe(20_000n);
});

test("events come as a stream, from the number a reader had last, and end with the watch", async () => {
  const key = await issue();
  const watch = await live([1, 2], () => set(key, {}));
  const response = await fetch(`${money.url}/watch/${watch.watch}/events`, {
    headers: { ...withKey(key), accept: "text/event-stream", "last-event-id": "1" },
  });
  expect(response.headers.get("content-type")).toContain("text/event-stream");
  let text = "";
  const reading = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true });
  })();
  await until(() => text.includes("id: 2"), "the second event");
  await passHour(3);
  await stop(key, watch);
  await reading;
  expect([...text.matchAll(/^id: (\d+)$/gm)].map(([, seq]) => seq)).toEqual(["2", "3", "4"]);
  expect(await events(key, watch, "?after=3")).toHaveLength(1);
});

async function stop(api_key: string, ...watches: readonly Pick<ShownWatch, "watch">[]): Promise<void> {
  for (const { watch } of watches) {
    const response = await fetch(`${money.url}/watch/${watch}`, { method: "DELETE", headers: withKey(api_key) });
    expect(response.status).toBe(200);
  }
}
