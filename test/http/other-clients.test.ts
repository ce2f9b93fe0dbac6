import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { callTool, modernRpc, rpc } from "../helpers/mcp.ts";
import { type ProductNode, startProductNode } from "../helpers/product-node.ts";

/** What other people's software sends and reads, as it was seen to do. */
let node: ProductNode;
beforeAll(async () => {
  node = await startProductNode({ seed_history: false });
});
afterAll(() => node.stop());

type Members = Record<string, unknown>;
const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

describe("browsers", () => {
  test("get a page where nothing is served, software the problem", async () => {
    const page = await fetch(`${node.url}/no-such-page`, { headers: { accept: BROWSER } });
    expect([page.status, page.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
    expect(await page.text()).toContain("Nothing is served under this path.");
    const problem = await fetch(`${node.url}/no-such-page`, { headers: { accept: "*/*" } });
    expect([problem.status, ((await problem.json()) as Members).code]).toEqual([404, "not_found"]);
  });

  test.each(["/about/", "/fear-greed/", "/docs//"])("%s leads to the path without its slash", async (path) => {
    const response = await fetch(`${node.url}${path}?q=1`, { redirect: "manual", headers: { accept: BROWSER } });
    expect([response.status, response.headers.get("location")]).toEqual([308, `${path.replace(/\/+$/, "")}?q=1`]);
  });

  test.each(["/", "/docs", "/about", "/fear-greed", "/no-such-page"])(
    "%s shares no window with others",
    async (path) => {
      const response = await fetch(`${node.url}${path}`, { headers: { accept: BROWSER } });
      expect(response.headers.get("cross-origin-opener-policy")).toBe("same-origin");
    },
  );

  test("see the digest of the bytes they get", async () => {
    const response = await fetch(`${node.url}/.well-known/x402.json`, {
      headers: { "accept-encoding": "gzip" },
      decompress: false,
    } as RequestInit);
    expect(response.headers.get("content-encoding")).toBe("gzip");
    const digest = createHash("sha256")
      .update(await response.bytes())
      .digest("base64");
    expect(response.headers.get("repr-digest")).toBe(`sha-256=:${digest}:`);
  });
});

test("AgentKit's reader asks for a thousand resources and reads metadata.description", async () => {
  const response = await fetch(`${node.url}/discovery/resources?type=http&limit=1000`);
  const { items } = (await response.json()) as { items: { metadata: Members; resource: string }[] };
  expect(response.status).toBe(200);
  expect(items.length).toBeGreaterThan(20);
  for (const { metadata } of items) expect(String(metadata.description).length).toBeGreaterThan(20);
});

describe("an agent that knows only the URL", () => {
  test("finds the whole guide, with this node's address in it", async () => {
    const response = await fetch(`${node.url}/guide.md`);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/markdown; charset=utf-8"]);
    const guide = await response.text();
    expect(guide).toContain(`${node.url}/day-pass`);
    expect(guide).not.toContain("node.example.com");
    for (const word of ["X-Coupon", "X-Allow-Duplicate", "/payments/<id>", "/quote", "/statement", "POST /keys"]) {
      expect(guide).toContain(word);
    }
  });

  test("is given no coupon that would be refused, and is told why", async () => {
    const welcome = async () => (await (await fetch(`${node.url}/welcome`)).json()) as Members;
    const { coupon, reason } = await welcome();
    expect([String(coupon).startsWith("inc_"), reason]).toEqual([true, undefined]);
    const used = await fetch(`${node.url}/fear-greed`, { headers: { "x-coupon": String(coupon) } });
    expect(used.status).toBe(200);
    expect(await welcome()).toMatchObject({ coupon: null, example: null, reason: "one_a_day" });
  });

  test("reads what each free operation does", async () => {
    const { paths } = (await (await fetch(`${node.url}/openapi.json`)).json()) as { paths: Record<string, Members> };
    const operations = Object.values(paths).flatMap((item) => Object.values(item) as Members[]);
    expect(operations.filter(({ description }) => typeof description !== "string" || description === "")).toEqual([]);
  });
});

describe("MCP", () => {
  test("mcpc finds what it pays in a tool's _meta.x402", async () => {
    const { body } = await rpc(node.url, "tools/list");
    const tools = (body?.result?.tools ?? []) as { name: string; _meta?: { x402?: Members } }[];
    const { accepts } = (await (await fetch(`${node.url}/fear-greed`)).json()) as { accepts: Members[] };
    const [first] = accepts;
    expect(tools.find(({ name }) => name === "fear_greed")?._meta?.x402).toEqual({ paymentRequired: true, ...first });
  });

  test("x402-mcp's payment, base64 under a key with a dot, is read as a payment", async () => {
    const unreadable = Buffer.from(JSON.stringify({ x402Version: 2 })).toString("base64");
    const { structuredContent } = await callTool(node.url, "fear_greed", { meta: { "x402.payment": unreadable } });
    expect(structuredContent).toMatchObject({ code: "invalid_payment", charged: false });
  });

  test("a long answer's text has at most 8,000 bytes", async () => {
    for (const tool of ["get_pricing", "sample"]) {
      const { content, structuredContent } = await callTool(node.url, tool);
      expect(Buffer.byteLength(content?.[0]?.text ?? "")).toBeLessThanOrEqual(8_000);
      expect(structuredContent).toBeObject();
    }
  });

  test("one call too many is a JSON-RPC error with its id", async () => {
    node.node.setLimits(true);
    await node.control("/limits", { enabled: true }).catch(() => undefined);
    let last = await modernRpc(node.url, "tools/list");
    for (let calls = 0; calls < 2_000 && last.status !== 429; calls += 1) last = await rpc(node.url, "ping");
    node.node.setLimits(false);
    expect(last.status).toBe(429);
    expect(last.body).toMatchObject({
      jsonrpc: "2.0",
      id: 1,
      error: { code: -32_029, data: { code: "rate_limited" } },
    });
    expect(Number(last.headers.get("retry-after"))).toBeGreaterThan(0);
  });
});

describe("A2A", () => {
  const ask = async (configuration: Members) => {
    const message = {
      messageId: crypto.randomUUID(),
      role: "user",
      parts: [{ kind: "data", data: { skill: "buy_credits", params: { preview: true } } }],
    };
    const body = { jsonrpc: "2.0", id: 1, method: "message/send", params: { message, configuration } };
    const headers = { "content-type": "application/json" };
    const response = await fetch(`${node.url}/a2a`, { method: "POST", headers, body: JSON.stringify(body) });
    return ((await response.json()) as { result: { artifacts: { parts: Members[] }[] }; error?: Members }) ?? {};
  };

  test.each([["text"], ["text/plain"], ["text", "text/plain", "text/markdown"]])(
    "a client that reads %s alone gets the JSON as text",
    async (...modes) => {
      const { result, error } = await ask({ acceptedOutputModes: modes });
      expect(error).toBeUndefined();
      const [part] = result.artifacts[0]?.parts ?? [];
      expect(part?.kind).toBe("text");
      expect(JSON.parse(String(part?.text))).toMatchObject({ product: "buy-credits" });
    },
  );

  test("a client that also reads JSON gets data", async () => {
    const { result } = await ask({ acceptedOutputModes: ["text/plain", "application/json"] });
    expect(result.artifacts[0]?.parts[0]?.kind).toBe("data");
  });
});
