import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { modernRpc, postRaw, type RpcAnswer, rpc } from "../helpers/mcp.ts";
import { type MoneyNode, startMoneyNode } from "../helpers/money-node.ts";

/** What /mcp answers to whoever breaks the protocol, by raw HTTP: no client would send most of it. */
let money: MoneyNode;

beforeAll(async () => {
  money = await startMoneyNode();
});
afterAll(() => money.stop());

const MODERN = "2026-07-28";
const META = {
  "io.modelcontextprotocol/protocolVersion": MODERN,
  "io.modelcontextprotocol/clientCapabilities": {},
};
const message = (more: Record<string, unknown>) => JSON.stringify({ jsonrpc: "2.0", id: 7, ...more });
const list = (params?: unknown) => message({ method: "tools/list", ...(params === undefined ? {} : { params }) });
const modern = { "mcp-protocol-version": MODERN, "mcp-method": "tools/list" };
const call = (name: unknown, more: Record<string, unknown> = {}) =>
  message({ method: "tools/call", params: { name, ...more } });

interface Row {
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Record<string, string>;
  readonly status: number;
  readonly code: number;
  /** The id that is named; null where none could be read. */
  readonly id?: unknown;
  readonly path?: string;
}

const ROWS: Readonly<Record<string, Row>> = {
  "an empty body": { body: "", status: 400, code: -32_700, id: null },
  "no JSON": { body: "{", status: 400, code: -32_700, id: null },
  "bytes that are no text": { body: new Uint8Array([0xff, 0xfe]), status: 400, code: -32_700, id: null },
  "another media type": {
    body: list(),
    headers: { "content-type": "text/plain" },
    status: 415,
    code: -32_600,
    id: null,
  },
  "a body over the limit": { body: " ".repeat(300_000), status: 413, code: -32_600, id: null },
  "a batch": { body: `[${list()}]`, status: 400, code: -32_600, id: null },
  "no object": { body: "1", status: 400, code: -32_600, id: null },
  "another JSON-RPC version": {
    body: '{"jsonrpc":"1.0","id":1,"method":"ping"}',
    status: 400,
    code: -32_600,
    id: 1,
  },
  "an id that is null": { body: '{"jsonrpc":"2.0","id":null,"method":"ping"}', status: 400, code: -32_600, id: null },
  "an id that is an object": {
    body: '{"jsonrpc":"2.0","id":{},"method":"ping"}',
    status: 400,
    code: -32_600,
    id: null,
  },
  "a method that is a number": { body: message({ method: 5 }), status: 400, code: -32_600 },
  "params that are a list": { body: list([]), status: 400, code: -32_600 },
  "an unknown method with a handshake": { body: message({ method: "prompts/list" }), status: 200, code: -32_601 },
  "an unknown method without one": {
    body: message({ method: "prompts/list", params: { _meta: META } }),
    headers: { ...modern, "mcp-method": "prompts/list" },
    status: 404,
    code: -32_601,
  },
  "initialize in the revision without a handshake": {
    body: message({ method: "initialize", params: { _meta: META } }),
    headers: { ...modern, "mcp-method": "initialize" },
    status: 404,
    code: -32_601,
  },
  "an unknown tool": { body: call("nothing_of_the_kind"), status: 200, code: -32_602 },
  "a tool's name that is no text": { body: call(5), status: 200, code: -32_602 },
  "a tool that objects inherit": { body: call("__proto__"), status: 200, code: -32_602 },
  "arguments that are a list": { body: call("one", { arguments: [] }), status: 200, code: -32_602 },
  "a cursor": { body: list({ cursor: "x" }), status: 200, code: -32_602 },
  "an unknown revision": {
    body: list(),
    headers: { "mcp-protocol-version": "1999-01-01" },
    status: 400,
    code: -32_022,
  },
  "an unknown revision without a handshake": {
    body: list({ _meta: { ...META, "io.modelcontextprotocol/protocolVersion": "2031-01-01" } }),
    headers: { ...modern, "mcp-protocol-version": "2031-01-01" },
    status: 400,
    code: -32_022,
  },
  "the modern header without its envelope": { body: list(), headers: modern, status: 400, code: -32_602 },
  "an envelope without capabilities": {
    body: list({ _meta: { "io.modelcontextprotocol/protocolVersion": MODERN } }),
    headers: modern,
    status: 400,
    code: -32_602,
  },
  "an envelope whose version is a number": {
    body: list({ _meta: { ...META, "io.modelcontextprotocol/protocolVersion": 1 } }),
    headers: modern,
    status: 400,
    code: -32_602,
  },
  "an envelope without any header": { body: list({ _meta: META }), status: 400, code: -32_020 },
  "another version in the header": {
    body: list({ _meta: META }),
    headers: { ...modern, "mcp-protocol-version": "2025-11-25" },
    status: 400,
    code: -32_020,
  },
  "no method in the header": {
    body: list({ _meta: META }),
    headers: { "mcp-protocol-version": MODERN },
    status: 400,
    code: -32_020,
  },
  "another method in the header": {
    body: list({ _meta: META }),
    headers: { ...modern, "mcp-method": "tools/call" },
    status: 400,
    code: -32_020,
  },
  "a tool's call without its name in the header": {
    body: call("one", { _meta: META }),
    headers: { ...modern, "mcp-method": "tools/call" },
    status: 400,
    code: -32_020,
  },
  "a tool's call with another name in the header": {
    body: call("one", { _meta: META }),
    headers: { ...modern, "mcp-method": "tools/call", "mcp-name": "two" },
    status: 400,
    code: -32_020,
  },
  "a name in base64 that is no text": {
    body: call("one", { _meta: META }),
    headers: { ...modern, "mcp-method": "tools/call", "mcp-name": "=?base64?//79?=" },
    status: 400,
    code: -32_020,
  },
  "an origin elsewhere": {
    body: list(),
    headers: { origin: "https://evil.example" },
    status: 403,
    code: -32_600,
    id: null,
  },
  "an origin that hides": { body: list(), headers: { origin: "null" }, status: 403, code: -32_600, id: null },
  "an origin that only looks near": {
    body: list(),
    headers: { origin: "http://localhost.evil.example" },
    status: 403,
    code: -32_600,
    id: null,
  },
};

describe("refused with its own code:", () => {
  test.each(Object.entries(ROWS))("%s", async (_, { body, headers, status, code, id = 7 }) => {
    const answer = await postRaw(money.url, body, headers);
    expect({ status: answer.status, id: answer.body?.id, code: answer.body?.error?.code }).toEqual({
      status,
      id,
      code,
    });
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(answer.headers.get("x-request-id")).toMatch(/^req_/);
  });

  test("an unsupported revision, with those that are spoken", async () => {
    const { body } = await rpc(money.url, "tools/list", {}, { "mcp-protocol-version": "1999-01-01" });
    expect(body?.error?.data).toMatchObject({ requested: "1999-01-01", supported: expect.arrayContaining([MODERN]) });
  });

  test("a key in the URL, unless the operator allows it", async () => {
    const response = await fetch(`${money.url}/mcp?key=ink_secret`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: list(),
    });
    expect(response.status).toBe(400);
    expect(await response.text()).not.toContain("ink_secret");
  });
});

describe("with a handshake", () => {
  const initialize = (protocolVersion: unknown) =>
    postRaw(money.url, message({ method: "initialize", params: { protocolVersion, capabilities: {} } }));
  const versionOf = ({ body }: RpcAnswer) => body?.result?.protocolVersion;

  test("a known revision is echoed, any other answered with the newest", async () => {
    for (const known of ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]) {
      expect(versionOf(await initialize(known))).toBe(known);
    }
    for (const unknown of [MODERN, "1999-01-01", 5, undefined]) {
      expect(versionOf(await initialize(unknown))).toBe("2025-11-25");
    }
  });

  test("no session is opened, and none is needed", async () => {
    const answer = await initialize("2025-11-25");
    expect(answer.headers.get("mcp-session-id")).toBeNull();
    expect(answer.body?.result).toMatchObject({ capabilities: { tools: {} }, serverInfo: { version: "0.0.0-test" } });
    expect((await rpc(money.url, "ping")).body?.result).toEqual({});
    const listed = (await rpc(money.url, "tools/list")).body?.result;
    expect(Object.keys(listed ?? {}).sort()).toEqual(["_meta", "tools"]);
  });

  test("notifications and answers to nothing get 202 without a body", async () => {
    for (const body of [
      '{"jsonrpc":"2.0","method":"notifications/initialized"}',
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}',
      '{"jsonrpc":"2.0","id":5,"result":{}}',
    ]) {
      expect(await postRaw(money.url, body)).toMatchObject({ status: 202, body: null });
    }
  });
});

describe("without a handshake", () => {
  test("server/discover names revisions, capabilities and the payment extension", async () => {
    const { status, body } = await modernRpc(money.url, "server/discover");
    expect(status).toBe(200);
    expect(body?.result).toMatchObject({
      resultType: "complete",
      supportedVersions: expect.arrayContaining([MODERN, "2025-11-25"]),
      capabilities: { tools: {}, extensions: { "org.x402/payment": {} } },
      cacheScope: "public",
      _meta: { "io.modelcontextprotocol/serverInfo": { version: "0.0.0-test" } },
    });
    expect(body?.result?.capabilities).not.toHaveProperty("tools.listChanged");
  });

  test("tools/list may be kept; every result has its type and names the server", async () => {
    const { body } = await modernRpc(money.url, "tools/list");
    expect(body?.result).toMatchObject({ resultType: "complete", ttlMs: expect.any(Number), cacheScope: "public" });
    const called = await modernRpc(money.url, "tools/call", { name: "one", arguments: { preview: true } });
    expect(called.body?.result?.resultType).toBe("complete");
    expect(called.body?.result?._meta).toHaveProperty(["io.modelcontextprotocol/serverInfo"]);
  });

  test("a name in base64 is the name", async () => {
    const encoded = `=?base64?${Buffer.from("one").toString("base64")}?=`;
    const { status, body } = await modernRpc(
      money.url,
      "tools/call",
      { name: "one", arguments: {} },
      { headers: { "mcp-name": encoded } },
    );
    expect(status).toBe(200);
    expect(body?.result?.isError).toBe(true);
  });
});

describe("other methods of HTTP", () => {
  test("GET shows what this is; asked for a stream it is 405", async () => {
    const shown = await fetch(`${money.url}/mcp`);
    expect(shown.status).toBe(200);
    expect(await shown.json()).toMatchObject({
      sandbox: true,
      transport: "streamable-http",
      endpoint: `${money.url}/mcp`,
    });
    const stream = await fetch(`${money.url}/mcp`, { headers: { accept: "text/event-stream" } });
    expect({ status: stream.status, allow: stream.headers.get("allow") }).toEqual({ status: 405, allow: "POST" });
  });

  test("DELETE and PUT are 405, OPTIONS is 204, HEAD has no body", async () => {
    for (const method of ["DELETE", "PUT"]) expect((await fetch(`${money.url}/mcp`, { method })).status).toBe(405);
    const preflight = await fetch(`${money.url}/mcp`, { method: "OPTIONS" });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-headers")).toContain("Mcp-Method");
    const head = await fetch(`${money.url}/mcp`, { method: "HEAD" });
    expect({ status: head.status, body: await head.text() }).toEqual({ status: 200, body: "" });
  });
});

describe("origins of browsers", () => {
  test("on this machine may call a node without a public address", async () => {
    for (const origin of ["http://localhost:3000", "http://127.0.0.1", "https://[::1]:8080"]) {
      expect((await rpc(money.url, "ping", {}, { origin })).status).toBe(200);
    }
  });
});
