import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, setSystemTime, test } from "bun:test";
import { Webhook } from "standardwebhooks";
import { parseIPRange } from "../../src/core/ip-address.ts";
import { newWebhookSecret } from "../../src/core/sign-webhook.ts";
import { createGuardedFetch } from "../../src/guarded-fetch/guarded-fetch.ts";
import { createWatchHooks } from "../../src/stores/watch-hooks.ts";
import { createWatchRows } from "../../src/stores/watch-rows.ts";
import { createWebhooks, renderPlain } from "../../src/watches/webhooks.ts";
import { type MoneyNode, startMoneyNode } from "../helpers/money-node.ts";
import { noteSecret } from "../helpers/secrets.ts";

/** Events of a watch, sent to a receiver of the buyer's. */
interface Received {
  readonly headers: Headers;
  readonly body: string;
}

/** A receiver that answers as it is told, and keeps what it took. */
function startReceiver() {
  const received: Received[] = [];
  const answer = { status: 200, body: (text: string) => text };
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const body = await request.text();
      received.push({ headers: request.headers, body });
      return new Response(answer.body(body), { status: answer.status });
    },
  });
  return { received, answer, url: `http://127.0.0.1:${server.port}/hook`, stop: () => server.stop(true) };
}

/** As receivers check it: by the official library, which also refuses what is not of now. */
function isSigned({ headers, body }: Received, secret: string): boolean {
  setSystemTime(Number(headers.get("webhook-timestamp")) * 1_000);
  try {
    new Webhook(secret).verify(body, Object.fromEntries(headers));
    return true;
  } catch {
    return false;
  } finally {
    setSystemTime();
  }
}

const MINUTE_MS = 60_000;
const START_MS = Date.parse("2026-03-01T12:00:00Z");

function createWorld(url: string) {
  const db = new Database(":memory:", { strict: true });
  const rows = createWatchRows(db);
  const hooks = createWatchHooks(db);
  const secret = newWebhookSecret();
  noteSecret(secret);
  let now_ms = START_MS;
  const loopback = parseIPRange("127.0.0.0/8");
  if (loopback === undefined) throw new Error("no range");
  const ask = createGuardedFetch({ resolve: async () => [], user_agent: "test", allowed_ranges: [loopback] });
  const webhooks = createWebhooks({
    render: (_, event) => renderPlain(event),
    rows: hooks,
    ask: (request) => ask({ ...request, ports: null }),
    now_ms: () => now_ms,
    random: () => 0,
    log: (event) => {
      throw new Error(JSON.stringify(event));
    },
  });
  rows.add(
    {
      id: "wat_1",
      key: "key_1",
      product: "/tide",
      params: {},
      view: "",
      condition: null,
      repeat: false,
      cadence: { every_ms: MINUTE_MS },
      budget: 1n,
      label: null,
      created_ms: now_ms,
      until_ms: now_ms + 1,
    },
    { next_ms: now_ms, name: null },
  );
  hooks.setHook("wat_1", { url, secret });
  /** Tells an event, as an evaluation does. */
  const tell = (n: number): void =>
    rows.fail("wat_1", { message: "", at_ms: now_ms, next_ms: null, event: { at_ms: now_ms, body: `{"n":${n}}` } });
  const wait = async (ms: number): Promise<void> => {
    now_ms += ms;
    await webhooks.pass();
  };
  return { hooks, webhooks, secret, tell, wait };
}

describe("deliveries", () => {
  const receiver = startReceiver();
  afterAll(() => receiver.stop());
  const numbersOf = () => receiver.received.map(({ body }) => (JSON.parse(body) as { readonly n: number }).n);

  test("are signed, each once, in their order, with an id that stays", async () => {
    const { tell, wait, secret } = createWorld(receiver.url);
    receiver.received.length = 0;
    for (const n of [1, 2, 3]) tell(n);
    await wait(0);
    await wait(MINUTE_MS);
    expect(numbersOf()).toEqual([1, 2, 3]);
    expect(receiver.received.map(({ headers }) => headers.get("webhook-id"))).toEqual([
      "wat_1.1",
      "wat_1.2",
      "wat_1.3",
    ]);
    expect(receiver.received.every((one) => isSigned(one, secret))).toBe(true);
    expect(receiver.received.some((one) => isSigned(one, newWebhookSecret()))).toBe(false);
  });

  test("are tried again for a day, later each time, in order, then parked and shown", async () => {
    const { tell, wait, hooks } = createWorld(receiver.url);
    receiver.received.length = 0;
    receiver.answer.status = 500;
    tell(1);
    tell(2);
    for (let minute = 0; minute < 26 * 60; minute += 1) await wait(MINUTE_MS);
    expect(numbersOf()).toEqual([1, 1, 1, 1, 1, 1, 1, 1]);
    expect(hooks.hook("wat_1")).toMatchObject({ is_parked: true, last_error: "it answered 500", delivered_seq: 0 });
    receiver.answer.status = 200;
    tell(3);
    await wait(MINUTE_MS);
    expect(numbersOf()).toHaveLength(8);
    hooks.unpark("wat_1", START_MS);
    await wait(MINUTE_MS);
    expect(numbersOf().slice(8)).toEqual([1, 2, 3]);
    expect(hooks.hook("wat_1")).toMatchObject({ is_parked: false, delivered_seq: 3, next_ms: null, last_error: null });
  });

  test("end at once where the receiver says that it is gone", async () => {
    const { tell, wait, hooks } = createWorld(receiver.url);
    receiver.answer.status = 410;
    tell(1);
    await wait(0);
    expect(hooks.hook("wat_1")?.is_parked).toBe(true);
    receiver.answer.status = 200;
  });

  test("follow no redirect to another host", async () => {
    const other = startReceiver();
    const { tell, wait, hooks } = createWorld(receiver.url);
    receiver.answer.status = 307;
    tell(1);
    await wait(0);
    expect(other.received).toHaveLength(0);
    expect(hooks.hook("wat_1")?.last_error).toBe("it answered 307");
    receiver.answer.status = 200;
    await other.stop();
  });

  test("are signed by both secrets for a day after one was replaced", async () => {
    const { tell, wait, hooks, secret } = createWorld(receiver.url);
    const next = newWebhookSecret();
    noteSecret(next);
    hooks.replaceSecret("wat_1", next, START_MS + 10 * MINUTE_MS);
    receiver.received.length = 0;
    tell(1);
    await wait(0);
    tell(2);
    await wait(11 * MINUTE_MS);
    const by = (which: string) => receiver.received.map((one) => isSigned(one, which));
    expect([by(secret), by(next)]).toEqual([
      [true, false],
      [true, true],
    ]);
  });

  test("begin only where the receiver repeats the challenge", async () => {
    const { webhooks, secret } = createWorld(receiver.url);
    receiver.received.length = 0;
    expect(await webhooks.challenge({ url: receiver.url, headers: {} }, secret)).toBeNull();
    expect(receiver.received.every((one) => isSigned(one, secret))).toBe(true);
    receiver.answer.body = () => "ok";
    expect(await webhooks.challenge({ url: receiver.url, headers: {} }, secret)).toContain("repeat the challenge");
    receiver.answer.body = (text) => text;
    receiver.answer.status = 404;
    expect(await webhooks.challenge({ url: receiver.url, headers: {} }, secret)).toContain("404");
    receiver.answer.status = 200;
  });
});

describe("at the door", () => {
  let money: MoneyNode;
  let key = "";
  const receiver = startReceiver();
  beforeAll(async () => {
    money = await startMoneyNode();
    const response = await fetch(`${money.url}/admin/keys`, {
      method: "POST",
      headers: { authorization: `Bearer ${money.node.operator_token}`, "content-type": "application/json" },
      body: JSON.stringify({ command: "issue", credit_usd: "1" }),
    });
    ({ api_key: key } = (await response.json()) as { readonly api_key: string });
    noteSecret(key);
  });
  afterAll(async () => {
    await money.stop();
    await receiver.stop();
  });

  test.each([
    receiver.url,
    receiver.url.replace("127.0.0.1", "localhost"),
    receiver.url.replace("127.0.0.1", "[::1]"),
    receiver.url.replace("127.0.0.1", "2130706433"),
    receiver.url.replace("127.0.0.1", "0x7f.1"),
    receiver.url.replace("127.0.0.1", "[::ffff:127.0.0.1]"),
    receiver.url.replace("http:", "ftp:"),
    receiver.url.replace("//", "//user:word@"),
    "http://169.254.169.254/latest/meta-data",
    "http://10.0.0.1/",
    "http://192.168.0.1/",
    "http://[fe80::1]/",
    "http://router.local/",
    "http://intranet/",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "hook",
    "",
    "//example.com/hook",
    "gopher://example.com/",
    "data:text/plain,x",
    "http://127.1/",
    "http://017700000001/",
    "http://１２７.0.0.1/",
    "http://0.0.0.0/",
    "http://[::]/",
    "http://[::ffff:10.0.0.1]/",
    "http://[fd00::1]/",
    "http://172.16.0.1/",
    "http://100.64.0.1/",
    "http://224.0.0.1/",
    "http://localhost./",
    "http://a.localhost/",
    "http://metadata.google.internal/",
    "http://router.lan/",
    "http://nas.home.arpa/",
    "http://x.onion/",
    "http://a..b.net/",
    `http://${"a".repeat(64)}.net/`,
    "http://printer.test/",
  ])("%s is sent nothing", async (webhook) => {
    const response = await fetch(`${money.url}/watch`, {
      method: "POST",
      headers: { "X-API-Key": key, "content-type": "application/json" },
      body: JSON.stringify({ product: "/one", every: "1h", budget_usd: "1", webhook }),
    });
    const body = (await response.json()) as { readonly param?: string };
    expect([response.status, body.param]).toEqual([422, "webhook"]);
    expect(receiver.received).toHaveLength(0);
    const list = await fetch(`${money.url}/watch`, { headers: { "X-API-Key": key } });
    expect(((await list.json()) as { readonly items: readonly unknown[] }).items).toEqual([]);
  });
});
