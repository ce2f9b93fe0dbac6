import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type MoneyNode, startMoneyNode } from "../helpers/money-node.ts";
import { createRandom } from "./mutations.ts";

/** What the door says to calls that no official client would make. */
let money: MoneyNode;
beforeAll(async () => {
  money = await startMoneyNode();
});
afterAll(() => money.stop());

type AnyObject = Record<string, unknown>;
interface Reply {
  readonly id: unknown;
  readonly result?: AnyObject & { readonly id: string; readonly history: readonly unknown[] };
  readonly error?: { readonly code: number; readonly message: string; readonly data: unknown };
}

const V02 = "https://github.com/google-agentic-commerce/a2a-x402/blob/main/spec/v0.2";
const V01 = "https://github.com/google-a2a/a2a-x402/v0.1";

const post = (body: string, headers: Record<string, string> = {}) =>
  fetch(`${money.url}/a2a`, { method: "POST", headers: { "content-type": "application/json", ...headers }, body });
const call = async (body: unknown, headers: Record<string, string> = {}): Promise<Reply> => {
  const response = await post(typeof body === "string" ? body : JSON.stringify(body), headers);
  expect(response.status).toBe(200);
  return (await response.json()) as Reply;
};
const message = (more: AnyObject = {}): AnyObject => ({
  kind: "message",
  messageId: "m",
  role: "user",
  parts: [{ kind: "data", data: { skill: "one" } }],
  ...more,
});
const request = (method: string, params: unknown, id: unknown = 1) => ({ jsonrpc: "2.0", id, method, params });
const send = (more: AnyObject = {}, params: AnyObject = {}) =>
  request("message/send", { message: message(more), ...params });
const send_new = (more: AnyObject = {}) =>
  request("SendMessage", {
    message: { messageId: "m", role: "ROLE_USER", parts: [{ data: { skill: "one" } }], ...more },
  });
const NEW = { "a2a-version": "1.0" };

const nested = (depth: number): unknown => (depth === 0 ? 1 : { a: nested(depth - 1) });

const file = { kind: "file", file: { uri: "https://example.com/a" } };
const textOf = (value: unknown) => ({ parts: [{ kind: "text", text: value }] });
const statusOf = (name: string, more: AnyObject = {}) => ({ metadata: { "x402.payment.status": name, ...more } });
const HALF = JSON.stringify(send(statusOf("payment-submitted", { "x402.payment.payload": { a: "@" } }))).replace(
  "@",
  "\\ud800",
);
const ROWS: readonly (readonly [string, unknown, number])[] = [
  ["no JSON", "{", -32700],
  ["nothing", "", -32600],
  ["a batch", [send()], -32600],
  ["another JSON-RPC", { ...send(), jsonrpc: "1.0" }, -32600],
  ["no id", { ...send(), id: undefined }, -32600],
  ["an object as id", request("message/send", {}, {}), -32600],
  ["a list as params", request("message/send", []), -32600],
  ["too deep a value", send(statusOf("payment-submitted", { "x402.payment.payload": nested(60) })), -32600],
  ["a method nobody knows", request("message/sent", {}), -32601],
  ["a method of Object", request("constructor", {}), -32601],
  ["a method of the other version", request("SendMessage", {}), -32601],
  ["no message", request("message/send", {}), -32602],
  ["the node's own role", send({ role: "agent" }), -32602],
  ["no message id", send({ messageId: "" }), -32602],
  ["eleven parts", send({ parts: Array.from({ length: 11 }, () => ({ kind: "text", text: "a" })) }), -32602],
  ["a part of no kind", send({ parts: [{ data: { skill: "one" } }] }), -32602],
  ["a text that is none", send(textOf(5)), -32602],
  ["a text too long", send(textOf("a".repeat(4_001))), -32602],
  [
    "data too long",
    send({ parts: [{ kind: "data", data: { skill: "one", params: { q: "a".repeat(17_000) } } }] }),
    -32602,
  ],
  [
    "two skills",
    send({
      parts: [
        { kind: "data", data: { skill: "one" } },
        { kind: "text", text: "GET /two" },
      ],
    }),
    -32602,
  ],
  ["more than a skill", send({ parts: [{ kind: "data", data: { skill: "one", price: "0" } }] }), -32602],
  ["no skill", send({ parts: [] }), -32602],
  [
    "a preview that is no yes or no",
    send({ parts: [{ kind: "data", data: { skill: "one", params: { preview: "maybe" } } }] }),
    -32602,
  ],
  ["a path that is no product", send(textOf("GET /healthz")), -32602],
  ["another host", send(textOf("GET https://evil.example/one")), -32602],
  ["no host", send(textOf("GET //evil.example/one")), -32602],
  ["our address within another", send(textOf("GET https://evil.example/http://127.0.0.1/one")), -32602],
  ["a path that climbs", send(textOf("GET /live/../one")), -32602],
  ["an encoded path", send(textOf("GET /%6fne")), -32602],
  ["a method the product does not take", send(textOf("POST /two {}")), -32602],
  ["a body for GET", send(textOf('GET /one {"q":"a"}')), -32602],
  ["a body that is no JSON", send(textOf("POST /one {q}")), -32602],
  ["a parameter twice", send(textOf("GET /one?q=a&q=b")), -32602],
  ["an unknown status of the payment", send(statusOf("payment-completed")), -32602],
  ["a submission of nothing", send(statusOf("payment-submitted")), -32602],
  ["a payment that is a text", send(statusOf("payment-submitted", { "x402.payment.payload": "abc" })), -32602],
  ["a payment without its status", send({ metadata: { "x402.payment.payload": {} } }), -32602],
  ["half a character in a payment", HALF, -32602],
  ["a decline of nothing", send(statusOf("payment-rejected")), -32602],
  ["a history length below zero", request("tasks/get", { id: "a", historyLength: -1 }), -32602],
  ["no task", request("tasks/get", {}), -32602],
  ["a task nobody has", request("tasks/get", { id: "a" }), -32001],
  ["a file", send({ parts: [file] }), -32005],
  ["another output", send({}, { configuration: { acceptedOutputModes: ["image/png"] } }), -32005],
  ["a push", send({}, { configuration: { pushNotificationConfig: { url: "https://example.com" } } }), -32003],
  ["a push set up", request("tasks/pushNotificationConfig/set", {}), -32602],
  ["a stream", request("message/stream", {}), -32004],
  ["a stream again", request("tasks/resubscribe", {}), -32004],
  ["a longer card", request("agent/getAuthenticatedExtendedCard", {}), -32004],
];

describe("errors", () => {
  test.each(ROWS)("%s is refused as the table says", async (_, body, code) => {
    const before = money.settlements();
    const { error } = await call(body as AnyObject);
    expect(error?.code).toBe(code);
    expect(error?.data).toMatchObject({ charged: false, request_id: expect.any(String) });
    expect(money.settlements()).toBe(before);
  });
});

describe("errors of version 1.0", () => {
  test.each<readonly [string, unknown, number]>([
    ["a stream", request("SendStreamingMessage", {}), -32004],
    ["a list of everybody's tasks", request("ListTasks", {}), -32004],
    ["a longer card", request("GetExtendedAgentCard", {}), -32004],
    ["a push", request("CreateTaskPushNotificationConfig", { taskId: "a", url: "https://example.com" }), -32003],
    ["a method of the other version", request("message/send", {}), -32601],
    ["a part of two kinds", send_new({ parts: [{ text: "GET /one", data: {} }] }), -32602],
    ["raw bytes", send_new({ parts: [{ raw: "AAAA" }] }), -32005],
    ["an address", send_new({ parts: [{ url: "https://example.com" }] }), -32005],
    ["the role of the other version", send_new({ role: "user" }), -32602],
  ])("of 1.0: %s is refused as the table says", async (_, body, code) => {
    const { error } = await call(body, NEW);
    expect(error?.code).toBe(code);
    expect(error?.data).toMatchObject([
      { "@type": "type.googleapis.com/google.rpc.ErrorInfo", domain: "a2a-protocol.org", reason: expect.any(String) },
      { value: { charged: false } },
    ]);
  });
});

describe("before a method is even looked at", () => {
  test("a version nobody speaks here is refused, and the ones that are named", async () => {
    for (const version of ["0.2", "2.0", "1", "1.1", "abc", "1.0.0.0"]) {
      expect((await call(send(), { "a2a-version": version })).error).toMatchObject({
        code: -32009,
        data: { supported: ["0.3", "1.0"] },
      });
    }
    for (const version of ["", "0.3", "0.3.0"])
      expect((await call(send(), { "a2a-version": version })).result).toBeDefined();
    expect((await call(send_new(), { "a2a-version": "1.0.1" })).result).toBeDefined();
  });

  test("a body that is not JSON by its type, or too long, is refused in the same words", async () => {
    const plain = await post(JSON.stringify(send()), { "content-type": "text/plain" });
    expect(((await plain.json()) as Reply).error?.code).toBe(-32005);
    const long = await post(JSON.stringify(send({ note: "a".repeat(300_000) })));
    expect([200, 413]).toContain(long.status);
  });

  test("a wrong parameter is told with what the 422 tells", async () => {
    const over_http = (await (await fetch(`${money.url}/one?Q=a`)).json()) as AnyObject;
    const { error } = await call(send({ parts: [{ kind: "text", text: "GET /one?Q=a" }] }));
    expect(error?.message).toBe(String(over_http.detail));
    expect(error?.data).toMatchObject({ code: over_http.code, parameter: "Q", nearest: "q", allowed: ["q"] });
  });

  test("other methods of HTTP are not taken", async () => {
    const got = await fetch(`${money.url}/a2a`);
    expect(got.status).toBe(405);
    expect(got.headers.get("allow")).toBe("POST, OPTIONS");
  });
});

describe("what is told", () => {
  test("the id of the request comes back, text or number", async () => {
    for (const id of ["a", 0, 7.5, -1]) expect((await call(request("tasks/get", { id: "x" }, id))).id).toBe(id);
    expect((await call("{")).id).toBeNull();
  });

  test("activated extensions are named in the header they came in, others are not", async () => {
    const all = `https://example.com/other, ${V02}`;
    const one = await post(JSON.stringify(send()), { "x-a2a-extensions": all });
    expect(one.headers.get("x-a2a-extensions")).toBe(V02);
    expect(one.headers.get("a2a-extensions")).toBeNull();
    const two = await post(JSON.stringify(send_new()), { ...NEW, "a2a-extensions": `${V01},${V02}` });
    expect(two.headers.get("a2a-extensions")).toBe(`${V01}, ${V02}`);
    expect((await post(JSON.stringify(send()))).headers.get("x-a2a-extensions")).toBeNull();
  });

  test("who knows only the first draft of the extension reads version 1 of x402", async () => {
    const response = await post(JSON.stringify(send()), { "x-a2a-extensions": V01 });
    const { result } = (await response.json()) as { result: { status: { message: { metadata: AnyObject } } } };
    expect(result.status.message.metadata["x402.payment.required"]).toMatchObject({
      x402Version: 1,
      accepts: [{ maxAmountRequired: "10000" }, { maxAmountRequired: "10000" }],
    });
  });

  test("answers are not stored on the way and can be read from any page", async () => {
    const { headers } = await post(JSON.stringify(send()));
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(headers.get("x-request-id")).toMatch(/^req_/);
  });

  test("the history is as long as it was asked for", async () => {
    const { result } = await call(send());
    const id = result?.id;
    const ofLength = async (historyLength: number | null) =>
      (await call(request("tasks/get", { id, historyLength }))).result?.history.length;
    expect([await ofLength(null), await ofLength(0), await ofLength(1), await ofLength(10)]).toEqual([1, 0, 1, 1]);
    const short = await call(send({}, { configuration: { historyLength: 0, acceptedOutputModes: [] } }));
    expect(short.result?.history).toEqual([]);
  });

  test("a context of the buyer's own is kept, and a task answers in no other", async () => {
    const { result } = await call(send({ contextId: "mine" }));
    expect(result).toMatchObject({ contextId: "mine" });
    const other = await call(send({ contextId: "other", taskId: result?.id }));
    expect(other.error?.code).toBe(-32602);
  });

  test("a task can be asked for something else before it is paid", async () => {
    const { result } = await call(send());
    const parts = [{ kind: "data", data: { skill: "two", params: { q: "b" } } }];
    const next = await call(send({ taskId: result?.id, parts }));
    expect(next.result?.id).toBe(result?.id as string);
    expect(JSON.stringify(next.result?.status)).toContain(`${money.url}/two`);
  });

  test("a task is forgotten after a day", async () => {
    const { result } = await call(send());
    money.clock.advance(23 * 3_600_000);
    expect((await call(request("tasks/get", { id: result?.id }))).result?.id).toBe(result?.id as string);
    money.clock.advance(2 * 3_600_000);
    expect((await call(request("tasks/get", { id: result?.id }))).error?.code).toBe(-32001);
  });
});

test("5,000 calls that are almost right never break the node and never cost anything", async () => {
  const random = createRandom(Number(process.env.TEST_SEED ?? 7));
  const { result } = await call(send());
  const whole = [
    JSON.stringify(send({ taskId: result?.id, contextId: result?.contextId })),
    JSON.stringify(
      send({ metadata: { "x402.payment.status": "payment-submitted", "x402.payment.payload": { x402Version: 2 } } }),
    ),
    JSON.stringify(send_new()),
    JSON.stringify(request("tasks/get", { id: result?.id, historyLength: 1 })),
    JSON.stringify(request("CancelTask", { id: "task_x" })),
  ];
  const words = ["null", "{}", "[]", '"\\u0000"', "1e999", '"__proto__"', "-1", '"\\ud800"', "true", '"GET /one?q=%"'];
  const mutate = (text: string): string => {
    const at = random.below(text.length);
    switch (random.below(4)) {
      case 0:
        return text.slice(0, at) + text.slice(at + 1 + random.below(5));
      case 1:
        return text.slice(0, at) + random.pick(words) + text.slice(at);
      case 2:
        return text.replace(/"[^"]*"|\d+|true/g, (value) => (random.chance(0.1) ? random.pick(words) : value));
      default:
        return text.slice(0, at) + text.slice(random.below(text.length));
    }
  };
  const before = money.settlements();
  const work = async () => {
    for (let n = 0; n < 250; n++) {
      const body = mutate(random.pick(whole));
      const response = await post(body, random.chance(0.5) ? NEW : {});
      const text = await response.text();
      if (response.status >= 500 || text.includes("-32603")) throw new Error(`${body}\n${response.status} ${text}`);
    }
  };
  await Promise.all(Array.from({ length: 20 }, work));
  expect(money.settlements()).toBe(before);
  expect((await money.node.audit()).ok).toBe(true);
});
