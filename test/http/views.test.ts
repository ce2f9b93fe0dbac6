import { afterAll, beforeAll, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { defineProduct } from "../../src/catalog/product.ts";
import { callTool, payTool, rpc } from "../helpers/mcp.ts";
import { type MoneyNode, startMoneyNode } from "../helpers/money-node.ts";
import { PAYERS, payFor } from "../helpers/payers.ts";

let runs = 0;
const table = defineProduct({
  path: "/table",
  methods: ["GET", "POST"],
  title: "Table",
  description: "A figure and a long table.",
  category: "test",
  tags: [],
  price_usd: "0.01",
  params: Type.Object({}),
  data: Type.Object({ n: Type.Number(), rows: Type.Array(Type.Object({ a: Type.Number(), b: Type.Number() })) }),
  long: ["rows"],
  example: { params: {}, as_of: "2026-01-01T00:00:00Z", data: { n: 1, rows: [{ a: 1, b: 2 }] } },
  providers: [],
  requires: [],
  ttl: "1h",
  deadline_ms: 5_000,
  preview: { every: "1h", delay: "0s" },
  fetch: async () => {
    runs += 1;
    return 7;
  },
  compute: (n: number, { now_ms }) => ({ as_of_ms: now_ms, data: { n, rows: [{ a: 1, b: 2 }] }, warnings: [] }),
});

const text = defineProduct({
  path: "/text",
  title: "Text",
  description: "A figure and a text.",
  category: "test",
  tags: [],
  price_usd: "0.01",
  params: Type.Object({}),
  providers: [],
  requires: [],
  ttl: "1h",
  deadline_ms: 5_000,
  preview: { every: "1h", delay: "0s" },
  data: Type.Object({ n: Type.Number(), markdown: Type.String() }),
  long: ["markdown"],
  usual_view: "brief",
  example: { params: {}, as_of: "2026-01-01T00:00:00Z", data: { n: 1, markdown: "# One" } },
  fetch: async () => 7,
  compute: (n: number, { now_ms }) => ({ as_of_ms: now_ms, data: { n, markdown: `# ${n}` }, warnings: [] }),
});

let money: MoneyNode;
beforeAll(async () => {
  money = await startMoneyNode("", undefined, { products: [table, text] });
});
afterAll(() => money.stop());

const newPayer = async () => {
  const [base] = PAYERS;
  if (!base) throw new Error("nobody pays");
  return base.newPayer(money.url);
};
const dataOf = async (response: Response) => ((await response.json()) as { data: unknown }).data;

test("a buyer pays for the view he wants, of the answer all share", async () => {
  const before = runs;
  for (const [query, data] of [
    ["", { n: 7, rows: [{ a: 1, b: 2 }] }],
    ["?view=brief", { n: 7 }],
    ["?fields=rows.b", { rows: [{ b: 2 }] }],
    ["?format=json&view=full", { n: 7, rows: [{ a: 1, b: 2 }] }],
  ] as const) {
    const url = `${money.url}/table${query}`;
    const response = await fetch(url, { headers: await payFor(url, await newPayer(), 2) });
    expect({ query, status: response.status, data: await dataOf(response) }).toEqual({ query, status: 200, data });
  }
  // Fewer where a basket's preview has asked for it by then.
  expect(runs - before).toBeLessThanOrEqual(1);
});

test("a payment brings its own view again, and no other", async () => {
  const url = `${money.url}/table?view=brief`;
  const headers = await payFor(url, await newPayer(), 2);
  const first = await (await fetch(url, { headers })).text();
  expect(await (await fetch(url, { headers })).text()).toBe(first);
  const other = await fetch(`${money.url}/table`, { headers });
  expect(other.status).toBe(402);
  expect(((await other.json()) as { code: string }).code).toBe("payment_already_used");
});

test("previews, bodies and tools take it, too; a wrong one is refused before any payment", async () => {
  expect(await dataOf(await fetch(`${money.url}/table?preview=1&view=brief`))).toEqual({ n: 7 });
  const url = `${money.url}/table`;
  const body = JSON.stringify({ fields: "n" });
  const headers = { ...(await payFor(url, await newPayer(), 2)), "content-type": "application/json" };
  expect(await dataOf(await fetch(url, { method: "POST", body, headers }))).toEqual({ n: 7 });
  const payment = await payTool(money.url, "table", await newPayer());
  const result = await callTool(money.url, "table", { args: { view: "brief" }, meta: { "x402/payment": payment } });
  expect(result.structuredContent?.data).toEqual({ n: 7 });
  const settled = money.settlements();
  expect((await fetch(`${money.url}/table?fields=row`)).status).toBe(422);
  expect((await fetch(`${money.url}/table?format=xml`)).status).toBe(422);
  expect((await fetch(`${money.url}/receipts?format=json`)).status).toBe(200);
  expect(money.settlements()).toBe(settled);
});

test("format=md gives the text of a written product alone, and both surfaces say who takes it", async () => {
  for (const [query, data] of [
    ["", { n: 7 }],
    ["?format=json", { n: 7 }],
    ["?format=md", { markdown: "# 7" }],
    ["?format=md&fields=n", { markdown: "# 7", n: 7 }],
  ] as const) {
    const url = `${money.url}/text${query}`;
    const response = await fetch(url, { headers: await payFor(url, await newPayer(), 2) });
    expect({ query, data: await dataOf(response) }).toEqual({ query, data });
  }
  for (const path of ["/table?format=md", "/text?format=html"]) {
    expect((await fetch(`${money.url}${path}`)).status).toBe(422);
  }
  type Parameter = { readonly $ref?: string; readonly name?: string; readonly schema?: { readonly enum: string[] } };
  const { paths } = (await (await fetch(`${money.url}/openapi.json`)).json()) as {
    paths: Record<string, { get: { parameters: Parameter[] } }>;
  };
  const formats = (path: string) => paths[path]?.get.parameters.find(({ name }) => name === "format")?.schema?.enum;
  expect(formats("/text")).toEqual(["json", "md"]);
  expect(formats("/table")).toBeUndefined();
  expect(paths["/table"]?.get.parameters).toContainEqual({ $ref: "#/components/parameters/format" });
  const { body } = await rpc(money.url, "tools/list");
  const tools = body?.result?.tools as { name: string; inputSchema: { properties: { format?: { enum: string[] } } } }[];
  const taken = tools.map(({ name, inputSchema }) => [name, inputSchema.properties.format?.enum]);
  expect(taken).toContainEqual(["text", ["json", "md"]]);
  expect(taken).toContainEqual(["table", undefined]);
});
