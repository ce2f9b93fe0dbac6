import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { Webhook } from "standardwebhooks";
import type { GuardedRequest, GuardedResult } from "../../src/guarded-fetch/types.ts";
import { type MoneyNode, startMoneyNode } from "../helpers/money-node.ts";
import { noteSecret } from "../helpers/secrets.ts";

/** A task that is a watch, told by push notifications of A2A 0.3 and 1.0. */
const HOUR_MS = 3_600_000;
const HOOK = "https://agent.example/push";

interface Pushed {
  readonly headers: Headers;
  readonly body: string;
}
const pushed: Pushed[] = [];
let repeats = true;
/** The receiver of a buyer's, on the sandbox's Internet. */
async function receive({ url, headers = {}, body = "" }: GuardedRequest): Promise<GuardedResult> {
  pushed.push({ headers: new Headers(headers), body: String(body) });
  const answer = new TextEncoder().encode(repeats ? String(body) : "ok");
  return { ok: true, url, status: 200, headers: new Headers(), body: answer, tls: null, hops: [] };
}

let money: MoneyNode;
let key = "";
let other_key = "";
beforeAll(async () => {
  money = await startMoneyNode("", async (sandbox) => {
    const { strangersAt } = sandbox;
    const played: typeof strangersAt = (now) => {
      const strangers = strangersAt(now);
      const hosts = [...strangers.hosts, new URL(HOOK).host];
      const ask = (asked: GuardedRequest) => (asked.url.startsWith(HOOK) ? receive(asked) : strangers.ask(asked));
      return { ...strangers, hosts, ask };
    };
    Object.assign(sandbox, { strangersAt: played });
  });
  [key, other_key] = [await issue(), await issue()];
});
afterAll(() => money.stop());
afterEach(() => {
  pushed.length = 0;
  repeats = true;
});

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

// biome-ignore lint/suspicious/noExplicitAny: what JSON-RPC answers, looked at by the tests alone.
type Answered = { readonly result?: any; readonly error?: { readonly code: number; readonly message: string } };
async function rpc(method: string, params: object, { version = "0.3", api_key = key } = {}): Promise<Answered> {
  const response = await fetch(`${money.url}/a2a`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "a2a-version": version,
      ...(api_key === "" ? {} : { "x-api-key": api_key }),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  return (await response.json()) as Answered;
}

const ORDER = { product: "/one", every: "1h", budget_usd: "0.5" };
let messages = 0;
const messageOf = (order: object, messageId = `m${++messages}`) => ({
  kind: "message",
  messageId,
  role: "user",
  parts: [{ kind: "data", data: { skill: "watch", params: order } }],
});
const newMessageOf = (order: object) => ({
  messageId: `m${++messages}`,
  role: "ROLE_USER",
  parts: [{ data: { skill: "watch", params: order } }],
});
async function passHour(): Promise<void> {
  money.clock.advance(HOUR_MS);
  await money.node.checkWatches();
}
const bodies = () => pushed.map(({ body }) => JSON.parse(body));

describe("A2A 0.3", () => {
  test("sets a watch with a receiver, and tells it of each event by the task", async () => {
    const configuration = { pushNotificationConfig: { url: HOOK, token: "t-1" } };
    const { result: task } = await rpc("message/send", { message: messageOf(ORDER), configuration });
    expect(task).toMatchObject({ kind: "task", status: { state: "working" }, artifacts: [] });
    const { webhook_secret } = task.metadata;
    noteSecret(webhook_secret);
    expect(bodies()).toMatchObject([{ type: "verification", kind: "challenge" }]);
    await money.node.checkWatches();
    const told = bodies()[1];
    expect(told).toMatchObject({ kind: "task", id: task.id, status: { state: "working" } });
    expect(told.artifacts).toMatchObject([
      { artifactId: `${task.id}.1`, parts: [{ kind: "data", data: { seq: 1, kind: "told", charged_usd: "0.01" } }] },
    ]);
    for (const { headers, body } of pushed) {
      expect(headers.get("x-a2a-notification-token")).toBe("t-1");
      expect(() => new Webhook(webhook_secret).verify(body, Object.fromEntries(headers))).not.toThrow();
    }
    expect(pushed[1]?.headers.get("webhook-id")).toBe(`${task.id}.1`);

    const read = (await rpc("tasks/get", { id: task.id })).result;
    expect(read).toMatchObject({ id: task.id, artifacts: [{ artifactId: `${task.id}.1` }] });
    expect(JSON.stringify(read)).not.toContain(webhook_secret);
    expect((await rpc("tasks/cancel", { id: task.id })).result.status.state).toBe("canceled");
    await money.node.checkWatches();
    expect(bodies()[2]).toMatchObject({ kind: "task", status: { state: "canceled" } });
    expect((await rpc("tasks/cancel", { id: task.id })).error?.code).toBe(-32_002);
  });

  test("is told where to push later on, says where, and is told to push no more", async () => {
    const { result: task } = await rpc("message/send", { message: messageOf(ORDER) });
    const taskId = task.id;
    expect((await rpc("tasks/pushNotificationConfig/get", { id: taskId })).error?.code).toBe(-32_001);
    await money.node.checkWatches();
    const authentication = { schemes: ["Basic"], credentials: "YTpi" };
    const config = { url: HOOK, authentication };
    const set = await rpc("tasks/pushNotificationConfig/set", { taskId, pushNotificationConfig: config });
    expect(set.result).toEqual({ taskId, pushNotificationConfig: { id: "webhook", url: HOOK } });
    expect((await rpc("tasks/pushNotificationConfig/list", { id: taskId })).result).toEqual([set.result]);
    await passHour();
    // What was told before nobody was to be told of is not sent.
    expect(bodies().map(({ artifacts }) => artifacts?.[0].artifactId)).toEqual([undefined, `${taskId}.2`]);
    expect(pushed[1]?.headers.get("authorization")).toBe("Basic YTpi");
    expect(await rpc("tasks/pushNotificationConfig/delete", { id: taskId })).toMatchObject({ result: null });
    await passHour();
    expect(pushed).toHaveLength(2);
    await rpc("tasks/cancel", { id: taskId });
  });

  test("a message that is sent again is the same watch", async () => {
    const message = messageOf(ORDER);
    const first = (await rpc("message/send", { message })).result;
    expect((await rpc("message/send", { message })).result.id).toBe(first.id);
    await rpc("tasks/cancel", { id: first.id });
  });
});

test("A2A 1.0 tells what a stream would: an artifact, then the end", async () => {
  const version = { version: "1.0" };
  const configuration = { taskPushNotificationConfig: { url: HOOK } };
  const sent = await rpc("SendMessage", { message: newMessageOf(ORDER), configuration }, version);
  const { task } = sent.result;
  expect(task.status.state).toBe("TASK_STATE_WORKING");
  await money.node.checkWatches();
  expect(bodies()[1]).toMatchObject({
    artifactUpdate: {
      taskId: task.id,
      artifact: { artifactId: `${task.id}.1`, parts: [{ mediaType: "application/json" }] },
      lastChunk: true,
    },
  });
  const listed = (await rpc("ListTaskPushNotificationConfigs", { taskId: task.id }, version)).result;
  expect(listed).toEqual({ configs: [{ taskId: task.id, id: "webhook", url: HOOK }], nextPageToken: "" });
  await rpc("CancelTask", { id: task.id }, version);
  await money.node.checkWatches();
  expect(bodies()[2]).toMatchObject({ statusUpdate: { taskId: task.id, status: { state: "TASK_STATE_CANCELED" } } });
});

describe("nothing is sent or shown", () => {
  test("to a receiver that does not repeat the challenge, or is no public address", async () => {
    repeats = false;
    for (const url of [HOOK, "http://127.0.0.1:1/", "http://169.254.169.254/"]) {
      const configuration = { pushNotificationConfig: { url } };
      const { error } = await rpc("message/send", { message: messageOf(ORDER), configuration });
      expect([url, error?.code, error?.message.startsWith("webhook")]).toEqual([url, -32_602, true]);
    }
    expect(bodies()).toMatchObject([{ kind: "challenge" }]);
  });

  test("to another key, or without one", async () => {
    const { result: task } = await rpc("message/send", { message: messageOf(ORDER) });
    for (const api_key of [other_key, ""]) {
      for (const method of ["tasks/get", "tasks/cancel", "tasks/pushNotificationConfig/get"]) {
        expect([method, (await rpc(method, { id: task.id }, { api_key })).error?.code]).toEqual([method, -32_001]);
      }
      const hook = { taskId: task.id, pushNotificationConfig: { url: HOOK } };
      expect((await rpc("tasks/pushNotificationConfig/set", hook, { api_key })).error?.code).toBe(-32_001);
    }
    expect(pushed).toEqual([]);
    expect((await rpc("message/send", { message: messageOf(ORDER) }, { api_key: "" })).error?.code).toBe(-32_602);
    await rpc("tasks/cancel", { id: task.id });
  });

  test("where the token is more than a header's value", async () => {
    const configuration = { pushNotificationConfig: { url: HOOK, token: "a\r\nX-Injected: 1" } };
    expect((await rpc("message/send", { message: messageOf(ORDER), configuration })).error?.code).toBe(-32_602);
    expect(pushed).toEqual([]);
  });
});

test("the card says so, where watches are taken", async () => {
  const card = await (await fetch(`${money.url}/.well-known/agent-card.json`)).json();
  expect(card).toMatchObject({ capabilities: { pushNotifications: true } });
  expect((card as { skills: { id: string }[] }).skills.map(({ id }) => id)).toContain("watch");
});
