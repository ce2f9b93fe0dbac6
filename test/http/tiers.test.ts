import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { createCatalog } from "../../src/catalog/catalog.ts";
import { type AnyProduct, defineProduct } from "../../src/catalog/product.ts";
import { A2A_BUYERS, sign } from "../helpers/a2a-buyers.ts";
import { callTool, payTool } from "../helpers/mcp.ts";
import { type MoneyNode, startMoneyNode } from "../helpers/money-node.ts";
import { PAYERS, payFor } from "../helpers/payers.ts";

const council = defineProduct({
  path: "/council",
  title: "Council",
  description: "An opinion.",
  category: "test",
  tags: [],
  price_usd: "0.01",
  tiers: { param: "depth", prices: { deep: "0.05", deepest: "0.25" } },
  params: Type.Object({
    depth: Type.Union([Type.Literal("quick"), Type.Literal("deep"), Type.Literal("deepest")], {
      default: "quick",
      description: "How much work goes into it.",
    }),
  }),
  data: Type.Object({ depth: Type.String() }),
  example: { params: { depth: "quick" }, as_of: "2026-01-01T00:00:00Z", data: { depth: "quick" } },
  providers: [],
  requires: [],
  ttl: "1m",
  deadline_ms: 5_000,
  preview: { every: "1h", delay: "0s" },
  fetch: async (_, { depth }) => depth,
  compute: (depth: string, { now_ms }) => ({ as_of_ms: now_ms, data: { depth }, warnings: [] }),
});

let money: MoneyNode;
beforeAll(async () => {
  money = await startMoneyNode('[prices]\n"/council?depth=deepest" = "0.30"', undefined, { products: [council] });
});
afterAll(() => money.stop());

const newPayer = async () => {
  const [base] = PAYERS;
  if (!base) throw new Error("nobody pays");
  return base.newPayer(money.url);
};
const PRICES = { "": "10000", "?depth=quick": "10000", "?depth=deep": "50000", "?depth=deepest": "300000" } as const;
type Accepts = { readonly accepts: readonly { readonly amount: string }[] };
const amountsOf = ({ accepts }: Accepts): readonly string[] => [...new Set(accepts.map(({ amount }) => amount))];

describe("a price that depends on a parameter", () => {
  test("is in the 402 of that call, in header and body, in both versions", async () => {
    for (const [query, amount] of Object.entries(PRICES)) {
      const response = await fetch(`${money.url}/council${query}`);
      expect(amountsOf((await response.json()) as Accepts)).toEqual([amount]);
      const header = Buffer.from(response.headers.get("PAYMENT-REQUIRED") ?? "", "base64").toString("utf8");
      expect(amountsOf(JSON.parse(header))).toEqual([amount]);
      const v1 = await fetch(`${money.url}/council${query}${query === "" ? "?" : "&"}x402Version=1`);
      const { accepts } = (await v1.json()) as { accepts: { maxAmountRequired: string }[] };
      expect(accepts[0]?.maxAmountRequired).toBe(amount);
    }
  });

  test("is what is paid, and what the receipt says", async () => {
    for (const [query, amount] of Object.entries(PRICES)) {
      const url = `${money.url}/council${query}`;
      const paid = await fetch(url, { headers: await payFor(url, await newPayer(), 2) });
      expect({ query, status: paid.status }).toEqual({ query, status: 200 });
      const receipt = await fetch(`${money.url}/receipts/${paid.headers.get("X-Receipt-Id")}`);
      expect(await receipt.text()).toContain(`"${amount}"`);
    }
  });

  test("a payment of the lower one does not buy the higher one", async () => {
    const cheap = await payFor(`${money.url}/council`, await newPayer(), 2);
    const before = money.settlements();
    const refused = await fetch(`${money.url}/council?depth=deep`, { headers: cheap });
    expect(refused.status).toBe(402);
    expect(((await refused.json()) as { code: string }).code).toBe("amount_mismatch");
    expect(money.settlements()).toBe(before);
  });

  test("is what a key is debited", async () => {
    const url = `${money.url}/buy-credits`;
    const bought = await fetch(url, { headers: await payFor(url, await newPayer(), 2) });
    const { api_key, balance_atomic } = (await bought.json()) as { api_key: string; balance_atomic: string };
    const deep = await fetch(`${money.url}/council?depth=deep`, { headers: { "X-API-Key": api_key } });
    expect(deep.status).toBe(200);
    const left = Number(deep.headers.get("X-Credits-Remaining")) * 1e6;
    expect(Number(balance_atomic) - Math.round(left)).toBe(50_000);
  });

  test("MCP and A2A ask for it and take it", async () => {
    const unpaid = await callTool(money.url, "council", { args: { depth: "deep" } });
    expect(amountsOf(unpaid.structuredContent as unknown as Accepts)).toEqual(["50000"]);
    expect(unpaid.content?.[1]?.text).toContain("$0.05");
    const cheap = await payTool(money.url, "council", await newPayer());
    const refused = await callTool(money.url, "council", { args: { depth: "deep" }, meta: { "x402/payment": cheap } });
    expect(refused.isError).toBe(true);
    const [, [, startA2A]] = A2A_BUYERS;
    const client = await startA2A(money.url, {});
    const asked = await client.send({ skill: "council", params: { depth: "deep" } });
    const metadata = await sign(asked, await newPayer());
    const done = await client.send({ task: asked.id, text: "Here it is.", metadata });
    expect(done.data?.data).toEqual({ depth: "deep" });
  });

  test("is in every list: price list, quote, and each description", async () => {
    const { products } = (await (await fetch(`${money.url}/get-pricing`)).json()) as {
      products: { path: string; description: string; tiers?: unknown }[];
    };
    const listed = products.find(({ path }) => path === "/council");
    expect(listed?.tiers).toEqual([
      { param: "depth", value: "deep", price_usd: "0.05", price_atomic: "50000" },
      { param: "depth", value: "deepest", price_usd: "0.30", price_atomic: "300000" },
    ]);
    const calls = [
      { path: "/council", count: 2 },
      { path: "/council", params: { depth: "deep" }, count: 1 },
    ];
    const quote = await fetch(`${money.url}/quote`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ calls }),
    });
    expect(((await quote.json()) as { single: { total_atomic: string } }).single.total_atomic).toBe("70000");
    const sentence = "Other prices: depth=deep $0.05, depth=deepest $0.30.";
    for (const path of ["/openapi.json", "/llms-full.txt", "/.well-known/agent-card.json", "/.well-known/x402.json"]) {
      const document = await fetch(`${money.url}${path}`);
      if (document.status === 200)
        expect({ path, has: (await document.text()).includes(sentence) }).toEqual({ path, has: true });
    }
  });
});

test("a tier with an invalid value, or without a price, is refused", () => {
  const faultsOf = (tiers: AnyProduct["tiers"]) =>
    createCatalog({
      plugins: [
        {
          id: "p",
          title: "P",
          file: "p.ts",
          origin: "operator",
          jobs: [],
          simulators: [],
          products: [{ file: "p.ts", product: defineProduct({ ...council, ...(tiers ? { tiers } : {}) }) }],
        },
      ],
      prices: {},
      preview_delay_ms: 0,
      reserved_paths: [],
      whyNot: () => null,
    }).faults.map(({ message }) => message);
  expect(faultsOf({ param: "depth", prices: { deep: "0.05" } })).toEqual([]);
  expect(faultsOf({ param: "depth", prices: { deeep: "0.05" } })).toEqual([
    'tiers: parameter "depth" has no value "deeep"',
  ]);
  expect(faultsOf({ param: "depht", prices: { deep: "0" } })).toEqual([
    'tiers: parameter "depht" has no value "deep"',
    'tiers: price "0" of "deep" must be above 0',
  ]);
});
