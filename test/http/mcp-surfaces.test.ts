import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { callTool, rpc } from "../helpers/mcp.ts";
import { type MoneyNode, startMoneyNode } from "../helpers/money-node.ts";

/** What registries and crawlers read of the MCP endpoint, and what an operator can set about it. */
type Members = Record<string, unknown>;
type ManifestTool = { name: string; x402: Members } & Members;

let money: MoneyNode;
beforeAll(async () => {
  money = await startMoneyNode();
});
afterAll(() => money.stop());

const getJSON = async (path: string): Promise<Members> =>
  (await (await fetch(`${money.url}${path}`)).json()) as Members;
const listTools = async (): Promise<readonly Members[]> =>
  (await rpc(money.url, "tools/list")).body?.result?.tools ?? [];

describe("the manifest", () => {
  test("names the endpoint, and every tool with the price, network and address of its 402", async () => {
    const manifest = await getJSON("/.well-known/mcp.json");
    expect(manifest).toMatchObject({
      schema_version: "2026-07-28",
      sandbox: true,
      endpoint: `${money.url}/mcp`,
      transport: "streamable-http",
      server_card: `${money.url}/mcp/server-card`,
    });
    const tools = manifest.tools as ManifestTool[];
    expect(tools.map(({ name }) => name)).toContain("one");
    for (const { x402, description } of tools) {
      const challenge = await fetch(String(x402.resource));
      const { accepts } = JSON.parse(atob(String(challenge.headers.get("payment-required"))));
      const { scheme, network, asset, payTo, amount } = accepts[0];
      expect(x402).toEqual({ scheme, network, asset, payTo, resource: x402.resource, price: `$${amount / 1e6}` });
      // Of a basket it is the lowest.
      const from = String(x402.resource).endsWith("/basket") ? "from " : "";
      expect(String(description)).toEndWith(`Price ${from}${x402.price} in USDC.`);
    }
  });

  test("lists the same tools, in the same words, as the endpoint", async () => {
    const { tools, free_tools } = (await getJSON("/.well-known/mcp.json")) as {
      tools: Members[];
      free_tools: Members[];
    };
    const shared = ({ name, title, description, inputSchema }: Members) => ({ name, title, description, inputSchema });
    expect([...tools, ...free_tools].map(shared)).toEqual((await listTools()).map(shared));
  });

  test("is found from the catalog by way of the server card, which has its own type", async () => {
    const { entries } = (await getJSON("/.well-known/mcp/catalog.json")) as { entries: Members[] };
    const [entry] = entries;
    expect(entries).toHaveLength(1);
    const card = await fetch(String(entry?.url));
    expect(card.headers.get("content-type")).toBe(String(entry?.type));
    const body = (await card.json()) as { remotes: Members[] } & Members;
    expect(String(body.name).split("/")).toHaveLength(2);
    expect(String(body.description).length).toBeWithin(1, 101);
    expect(body.remotes[0]).toMatchObject({ type: "streamable-http", url: `${money.url}/mcp` });
  });
});

describe("the list of tools", () => {
  test("declares no output schema, a closed input schema and a preview; only plans are no mere reading", async () => {
    for (const tool of await listTools()) {
      const { inputSchema, annotations } = tool as Record<string, Members>;
      expect(tool).not.toHaveProperty("outputSchema");
      expect(inputSchema).toMatchObject({ type: "object", additionalProperties: false, required: expect.any(Array) });
      expect(annotations).toMatchObject({ destructiveHint: false, openWorldHint: true });
      const is_plan = ["buy_credits", "day_pass"].includes(String(tool.name));
      if (is_plan || tool.name === "one") expect(annotations?.readOnlyHint).toBe(!is_plan);
    }
  });

  test("carries the price in the words other servers use", async () => {
    const one = (await listTools()).find(({ name }) => name === "one");
    const { structuredContent } = await callTool(money.url, "one");
    const accepts = (structuredContent?.accepts ?? []) as Members[];
    const { scheme, network, amount, asset, payTo } = accepts[0] ?? {};
    const pointer = "paths/~1one/get/responses/200/content/application~1json/schema";
    expect(one).toMatchObject({
      annotations: { paymentHint: true, paymentPriceUSD: 0.01, paymentVersion: 2 },
      _meta: {
        x402: { scheme, network, amount, asset, payTo },
        "intel-node/output_schema": `${money.url}/openapi.json#/${pointer}`,
      },
    });
  });

  test("points into the OpenAPI document for what a tool answers", async () => {
    const document = await getJSON("/openapi.json");
    const urls = (await listTools()).flatMap(({ _meta }) => (_meta as Members)?.["intel-node/output_schema"] ?? []);
    expect(urls.length).toBeGreaterThan(1);
    for (const url of urls) {
      const [, pointer = ""] = String(url).split("#/");
      const names = pointer.split("/").map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
      const found = names.reduce<unknown>((value, name) => (value as Members | undefined)?.[name], document);
      expect(found).toBeObject();
    }
  });

  test("is one page, in the order of the catalog, and the same every time", async () => {
    const [first, again] = [await listTools(), await listTools()];
    expect(first).toEqual(again);
    const { products } = (await getJSON("/get-pricing")) as { products: { product: string }[] };
    const wanted = products.map(({ product }) => product.replaceAll("-", "_"));
    expect(first.slice(0, wanted.length).map(({ name }) => name)).toEqual(wanted);
  });
});

describe("a shorter list", () => {
  const post = async (query: string, method: string, params: Members = {}) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const headers = { "content-type": "application/json", "mcp-protocol-version": "2025-11-25" };
    return (await (await fetch(`${money.url}/mcp${query}`, { method: "POST", headers, body })).json()) as {
      readonly result?: { readonly tools?: readonly Members[] } & Members;
      readonly error?: { readonly code: number; readonly message: string; readonly data?: Members };
    };
  };
  const namesOf = async (query: string) =>
    ((await post(query, "tools/list")).result?.tools ?? []).map(({ name }) => String(name));
  const CORE = ["sample", "get_pricing", "search_products", "call_product"];

  test("finds, samples, prices and buys everything; the list of the bare address stays whole", async () => {
    expect((await namesOf("?set=core")).sort()).toEqual(CORE.toSorted());
    expect(await namesOf("")).not.toContain("call_product");
    expect(await namesOf("?set=test")).toEqual(expect.arrayContaining(["one", "two", ...CORE]));
    expect(await namesOf("?tools=one,/two")).toEqual(["one", "two"]);
    expect(await namesOf("?tools=one&set=core")).toHaveLength(5);
  });

  test("sells any product by its name, at its own price, and nothing that it does not list", async () => {
    const call = (query: string, name: string, args: Members) => post(query, "tools/call", { name, arguments: args });
    const [direct, any] = [
      await call("", "one", {}),
      await call("?set=core", "call_product", { tool: "one", arguments: {} }),
    ];
    const accepts = (answer: typeof any) => (answer.result?.structuredContent as Members | undefined)?.accepts;
    expect(accepts(any)).toEqual(accepts(direct));
    const preview = await call("?set=core", "call_product", { tool: "/one", preview: true });
    expect(preview.result?.structuredContent).toMatchObject({ code: "preview_not_ready" });
    for (const args of [{ tool: "noe" }, {}, { tool: "one", arguments: [] }, { tool: "one", symbol: "BTC" }]) {
      const { result } = await call("?set=core", "call_product", args);
      expect(result).toMatchObject({ isError: true, structuredContent: { status: 422, charged: false } });
    }
    expect((await call("?set=core", "one", {})).error?.message).toContain("Unknown tool");
    expect((await call("?tools=one", "two", {})).error?.message).toContain("Unknown tool");
  });

  test("that names nothing known is refused, naming the nearest", async () => {
    for (const [query, nearest] of [
      ["?set=coer", "core"],
      ["?tools=on", "one"],
      ["?tool=one", "tools"],
    ]) {
      const { error } = await post(String(query), "tools/list");
      expect({ query, code: error?.code, nearest: error?.data?.nearest }).toEqual({ query, code: -32_602, nearest });
    }
  });

  test("is offered where the door describes itself", async () => {
    expect(await getJSON("/mcp")).toMatchObject({ sets: { core: 0, test: 2 } });
  });
});

describe("a search", () => {
  test("finds by title, tag and category; the same words always find the same", async () => {
    const search = async (args: Members) => {
      const { structuredContent } = await callTool(money.url, "search_products", { args });
      return ((structuredContent?.products ?? []) as { tool: string }[]).map(({ tool }) => tool);
    };
    expect(await search({ query: "test" })).toEqual(["one", "two"]);
    expect(await search({ query: "two test", limit: 2 })).toEqual(["two", "one"]);
    expect(await search({ query: "TES", limit: 1 })).toEqual(["one"]);
    for (const query of ["", "!!", "nothingofthekind"]) expect(await search({ query })).toEqual([]);
  });

  test("without words, or with too many results wanted, is refused", async () => {
    for (const args of [{}, { query: "x", limit: 51 }, { query: "x".repeat(201) }, { query: "x", more: 1 }]) {
      const { isError, structuredContent } = await callTool(money.url, "search_products", { args });
      expect({ isError, status: structuredContent?.status }).toEqual({ isError: true, status: 422 });
    }
  });
});

describe("an operator", () => {
  const withSettings = async (settings: string, use: (node: MoneyNode) => Promise<void>) => {
    const node = await startMoneyNode(settings);
    try {
      await use(node);
    } finally {
      await node.stop();
    }
  };
  const statusFrom = async ({ url }: MoneyNode, origin: string) => (await rpc(url, "ping", {}, { origin })).status;

  test("names the origins that may call; no other may, on this machine neither", () =>
    withSettings('[mcp]\nallowed_origins = ["https://app.example.com"]', async (node) => {
      expect(await statusFrom(node, "https://app.example.com")).toBe(200);
      expect(await statusFrom(node, "http://localhost:3000")).toBe(403);
      expect((await rpc(node.url, "ping")).status).toBe(200);
    }));

  test("takes every origin with a public address, unless he says otherwise", () =>
    withSettings('[node]\npublic_url = "https://node.example.com"', async (node) => {
      expect(await statusFrom(node, "https://anywhere.example")).toBe(200);
    }));

  test("may prove to the registry whose host this is; otherwise there is nothing to read", async () => {
    const line = "v=MCPv1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=";
    const path = "/.well-known/mcp-registry-auth";
    expect((await fetch(`${money.url}${path}`)).status).toBe(404);
    await withSettings(`[mcp]\nregistry_auth = "${line}"`, async ({ url }) => {
      expect(await (await fetch(`${url}${path}`)).text()).toBe(`${line}\n`);
    });
  });

  test("may allow a key in the URL, for clients that can send no header", () =>
    withSettings("[mcp]\nkey_in_url = true", async (node) => {
      const response = await fetch(`${node.url}/mcp?key=mistyped`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "one" } }),
      });
      const { result } = (await response.json()) as { result: { structuredContent: Members } };
      expect(result.structuredContent).toMatchObject({ code: "invalid_api_key" });
    }));
});
