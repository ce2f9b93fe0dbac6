import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { modernRpc } from "../helpers/mcp.ts";
import { type MoneyNode, startMoneyNode } from "../helpers/money-node.ts";
import { noteSecret } from "../helpers/secrets.ts";

/** What watches tell, by MCP: `subscriptions/listen` of the revision of 2026-07-28, and the draft Events extension. */
const HOUR_MS = 3_600_000;
const VERSION = "2026-07-28";
const SUBSCRIPTION_ID = "io.modelcontextprotocol/subscriptionId";

let money: MoneyNode;
let key = "";
let other_key = "";
beforeAll(async () => {
  money = await startMoneyNode();
  [key, other_key] = [await issue(), await issue()];
});
afterAll(() => money.stop());

async function post(path: string, body: unknown, headers: Record<string, string>): Promise<Response> {
  const sent = { "content-type": "application/json", ...headers };
  return fetch(`${money.url}${path}`, { method: "POST", headers: sent, body: JSON.stringify(body) });
}
async function issue(): Promise<string> {
  const operator = { authorization: `Bearer ${money.node.operator_token}` };
  const response = await post("/admin/keys", { command: "issue", credit_usd: "1" }, operator);
  const { api_key } = (await response.json()) as { readonly api_key: string };
  noteSecret(api_key);
  return api_key;
}
const ORDER = { product: "/one", every: "1h", budget_usd: "0.5", label: "the one" };
async function set(): Promise<string> {
  const response = await post("/watch", ORDER, { "x-api-key": key });
  return ((await response.json()) as { readonly watch: string }).watch;
}
/** What the watch is told next: "/one" has another answer each time. */
async function tell(): Promise<void> {
  await money.node.checkWatches();
  money.clock.advance(HOUR_MS);
}
const end = (watch: string) =>
  fetch(`${money.url}/watch/${watch}`, { method: "DELETE", headers: { "x-api-key": key } });

const ask = async (method: string, params: Record<string, unknown> = {}, headers = { "x-api-key": key }) => {
  const name = typeof params.uri === "string" ? { "mcp-name": params.uri } : {};
  const { body, status } = await modernRpc(money.url, method, params, { headers: { ...headers, ...name } });
  return { status, result: body?.result as Record<string, unknown> | undefined, error: body?.error };
};

interface Notification {
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly id?: unknown;
  readonly result?: Record<string, unknown>;
}
/** Opens a stream and reads the messages that come, one by one. */
async function open(method: string, params: Record<string, unknown>, headers = { "x-api-key": key }) {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": VERSION,
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const gone = new AbortController();
  const response = await fetch(`${money.url}/mcp`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": VERSION,
      "mcp-method": method,
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: "s1", method, params: { ...params, _meta } }),
    signal: gone.signal,
  });
  expect(response.headers.get("content-type")).toContain("text/event-stream");
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const next = async (): Promise<Notification | null> => {
    for (;;) {
      const [frame = "", ...rest] = text.split("\n\n");
      if (rest.length > 0) {
        text = rest.join("\n\n");
        const data = frame.split("\n").find((line) => line.startsWith("data: "));
        if (data) return JSON.parse(data.slice(6)) as Notification;
        continue;
      }
      const read = await reader?.read();
      if (!read || read.done) return null;
      text += read.value;
    }
  };
  /** The next one that is no sign of life. */
  const nextNews = async (): Promise<Notification | null> => {
    const found = await next();
    return found?.method === "notifications/events/heartbeat" ? nextNews() : found;
  };
  return { next: nextNews, beat: next, leave: () => gone.abort() };
}

describe("subscriptions/listen", () => {
  test("acknowledges the watches of the key first, tells each change, and ends with them", async () => {
    const watch = await set();
    const uri = `watch:${watch}`;
    const wanted = { toolsListChanged: true, resourceSubscriptions: [uri, "watch:wat_0", "file:///etc/passwd"] };
    const stream = await open("subscriptions/listen", { notifications: wanted });
    expect(await stream.next()).toEqual({
      jsonrpc: "2.0",
      method: "notifications/subscriptions/acknowledged",
      params: { notifications: { resourceSubscriptions: [uri] }, _meta: { [SUBSCRIPTION_ID]: "s1" } },
    } as never);
    await tell();
    const updated = { method: "notifications/resources/updated", params: { uri, _meta: { [SUBSCRIPTION_ID]: "s1" } } };
    expect(await stream.next()).toMatchObject(updated);
    await end(watch);
    expect(await stream.next()).toMatchObject(updated);
    expect(await stream.next()).toMatchObject({ id: "s1", result: { _meta: { [SUBSCRIPTION_ID]: "s1" } } });
    expect(await stream.next()).toBeNull();
  });

  test("of others' watches and without a key nothing is told", async () => {
    const watch = await set();
    for (const headers of [{ "x-api-key": other_key }, {} as { "x-api-key": string }]) {
      const wanted = { resourceSubscriptions: [`watch:${watch}`] };
      const stream = await open("subscriptions/listen", { notifications: wanted }, headers);
      expect(await stream.next()).toMatchObject({ params: { notifications: {} } });
      expect(await stream.next()).toMatchObject({ id: "s1", result: {} });
      expect(await stream.next()).toBeNull();
    }
    await end(watch);
  });

  test("the official client listens, reads what was told and leaves", async () => {
    const watch = await set();
    const uri = `watch:${watch}`;
    const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode: { pin: VERSION } } });
    const requestInit = { headers: { "x-api-key": key } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${money.url}/mcp`), { requestInit }));
    try {
      expect(client.getServerCapabilities()).toMatchObject({ resources: { subscribe: true } });
      const listed = await client.listResources();
      expect(listed.resources.find((one) => one.uri === uri)).toMatchObject({ title: "the one" });
      const { resourceTemplates } = await client.listResourceTemplates();
      expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(["watch:{watch}"]);
      const heard = Promise.withResolvers<string>();
      client.setNotificationHandler("notifications/resources/updated", ({ params }) => heard.resolve(params.uri));
      const subscription = await client.listen({ resourceSubscriptions: [uri] });
      expect(subscription.honoredFilter).toEqual({ resourceSubscriptions: [uri] });
      await tell();
      expect(await heard.promise).toBe(uri);
      const [content] = (await client.readResource({ uri })).contents;
      const told = JSON.parse(content && "text" in content ? content.text : "null");
      expect(told).toMatchObject({ watch, state: "active", cursor: "1", events: [{ eventId: `${watch}.1` }] });
      expect(told.events[0].data.answer.product).toBe("one");
      await subscription.close();
      expect(await subscription.closed).toBe("local");
    } finally {
      await client.close();
    }
    await end(watch);
  });

  test("no more than five read one watch", async () => {
    const watch = await set();
    const wanted = { notifications: { resourceSubscriptions: [`watch:${watch}`] } };
    const streams = await Promise.all(Array.from({ length: 5 }, () => open("subscriptions/listen", wanted)));
    for (const stream of streams) await stream.next();
    expect(await ask("subscriptions/listen", wanted)).toMatchObject({ status: 429, error: { code: -32_013 } });
    for (const stream of streams) stream.leave();
    await end(watch);
  });
});

describe("the draft Events extension", () => {
  test("lists each watch as an event type, with how it is delivered", async () => {
    const watch = await set();
    const { events } = ((await ask("events/list")).result ?? {}) as { events: readonly Record<string, unknown>[] };
    const event = events.find(({ name }) => name === watch);
    expect(event).toMatchObject({ delivery: ["poll", "push"], inputSchema: { type: "object" } });
    expect(await ask("events/list", {}, { "x-api-key": other_key })).toMatchObject({ result: { events: [] } });
    const { capabilities } = (await ask("server/discover")).result ?? {};
    expect(capabilities).toMatchObject({ events: { listChanged: false }, resources: { subscribe: true } });
    await end(watch);
  });

  test("polls from a cursor: null begins now, nothing twice, nothing lost", async () => {
    const watch = await set();
    await tell();
    const first = await ask("events/poll", { name: watch, cursor: null });
    expect(first.result).toMatchObject({ events: [], cursor: "1", truncated: false, hasMore: false });
    expect(first.result?.nextPollMs).toBeGreaterThanOrEqual(1_000);
    await tell();
    await tell();
    const next = await ask("events/poll", { name: watch, cursor: "1", maxEvents: 1 });
    expect(next.result).toMatchObject({
      events: [{ eventId: `${watch}.2`, name: watch, data: { kind: "told" } }],
      cursor: "2",
      hasMore: true,
    });
    const last = await ask("events/poll", { name: watch, cursor: "2" });
    expect(last.result).toMatchObject({ events: [{ eventId: `${watch}.3` }], cursor: "3", hasMore: false });
    // What is older than a minute is left out, and that is said.
    const young = await ask("events/poll", { name: watch, cursor: "0", maxAgeMs: 60_000 });
    expect(young.result).toMatchObject({ events: [], cursor: "3", truncated: true });
    await end(watch);
  });

  test("streams from a cursor: active, events, and what ended it", async () => {
    const watch = await set();
    await tell();
    const stream = await open("events/stream", { name: watch, cursor: "0" });
    const of = { _meta: { [SUBSCRIPTION_ID]: "s1" } };
    expect(await stream.next()).toMatchObject({
      method: "notifications/events/active",
      params: { cursor: "0", truncated: false, ...of },
    });
    expect(await stream.next()).toMatchObject({
      method: "notifications/events/event",
      params: { eventId: `${watch}.1`, cursor: "1", data: { charged_usd: "0.01" }, ...of },
    });
    await end(watch);
    expect(await stream.next()).toMatchObject({ params: { cursor: "2", data: { kind: "ended" } } });
    expect(await stream.next()).toMatchObject({ method: "notifications/events/terminated", params: of });
    expect(await stream.next()).toMatchObject({ id: "s1", result: of });
    expect(await stream.next()).toBeNull();
  });

  test("a quiet stream says how far was looked", async () => {
    const watch = await set();
    const stream = await open("events/stream", { name: watch });
    await stream.beat();
    const beat = { method: "notifications/events/heartbeat", params: { cursor: "0" } };
    expect(await stream.beat()).toMatchObject(beat);
    stream.leave();
    await end(watch);
  });
});

const BAD: readonly (readonly [method: string, params: Record<string, unknown>, code: number])[] = [
  ["events/poll", {}, -32_602],
  ["events/poll", { name: "wat_0", cursor: "x" }, -32_602],
  ["events/poll", { name: "wat_0" }, -32_011],
  ["events/stream", { name: "../admin" }, -32_011],
  ["subscriptions/listen", {}, -32_602],
  ["resources/read", { uri: "watch:wat_0" }, -32_602],
  ["resources/read", { uri: "file:///etc/passwd" }, -32_602],
];
test.each(BAD)("%s of %j is refused", async (method, params, code) => {
  expect((await ask(method, params)).error?.code).toBe(code);
});

test("the name of a resource is in the header too", async () => {
  const { body } = await modernRpc(money.url, "resources/read", { uri: "watch:wat_0" });
  expect(body?.error?.code).toBe(-32_020);
});

test("a node that takes no watches knows none of it", async () => {
  const node = await startMoneyNode("[watch]\nenabled = false");
  try {
    const found = await modernRpc(node.url, "server/discover");
    expect(found.body?.result?.capabilities).not.toHaveProperty("resources");
    expect((await modernRpc(node.url, "events/list")).body?.error?.code).toBe(-32_601);
  } finally {
    await node.stop();
  }
});
