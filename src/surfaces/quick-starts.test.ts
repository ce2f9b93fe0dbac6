import { describe, expect, test } from "bun:test";
import type { QuickStartModel, SnippetProduct } from "./quick-starts/types.ts";
import { listQuickStarts, renderQuickStarts } from "./quick-starts.ts";

const ORIGIN = "https://node.example.com";

const product = (id: string, price_atomic: string, more: Partial<SnippetProduct> = {}): SnippetProduct => ({
  id,
  skill_id: id.replaceAll("-", "_"),
  path: `/${id}`,
  url: `${ORIGIN}/${id}`,
  method: "GET",
  title: id,
  price_usd: String(Number(price_atomic) / 1e6),
  price_atomic,
  example: { params: {}, as_of: "2026-01-01T00:00:00Z", data: null },
  plan: null,
  ...more,
});

const plan = (price_atomic: string): SnippetProduct =>
  product("buy-credits", price_atomic, {
    plan: {
      name: "buy_credits",
      path: "/buy-credits",
      title: "Prepaid balance",
      description: "",
      price_usd: "",
      credit_usd: "1.25",
      duration: null,
      pass: false,
      priority: "standard",
      badge: false,
    },
  });

const BASE = { network: "eip155:8453", title: "Base", wallet: "base", asset: "0xUSDC" } as const;
const SOLANA = { network: "solana:5eykt", title: "Solana", wallet: "solana", asset: "EPj" } as const;
const ALGORAND = { network: "algorand:wGHE", title: "Algorand", wallet: "algorand", asset: "31566704" } as const;

const MODEL: QuickStartModel = {
  node: { name: "intel-node", public_url: ORIGIN },
  sandbox: false,
  products: [plan("990000"), product("dear", "50000"), product("cheap", "3000")],
  networks: [BASE, SOLANA, ALGORAND],
};
const idsOf = (model: QuickStartModel) => listQuickStarts(model).map(({ id }) => id);
const codeOf = (id: string, model = MODEL) => listQuickStarts(model).find((one) => one.id === id)?.code ?? "";

describe("snippets", () => {
  test("buy the cheapest product that a GET fetches, at its price", () => {
    const products = [...MODEL.products, product("posted", "1000", { method: "POST" })];
    expect(codeOf("x402-fetch", { ...MODEL, products })).toContain(`pay("${ORIGIN}/cheap"); // 0.003 USD`);
  });

  test("call it with the parameters of its example", () => {
    const params = { symbol: "EUR/USD", "odd name": 2 };
    const example = { params, as_of: "2026-01-01T00:00:00Z", data: null };
    const model = { ...MODEL, products: [product("rate", "1000", { example })] };
    const query = "symbol=EUR%2FUSD&odd%20name=2";
    expect(codeOf("x402-fetch", model)).toContain(`"${ORIGIN}/rate?${query}"`);
    expect(codeOf("x402-fetch-v1", model)).toContain(`"${ORIGIN}/rate?${query}&x402Version=1"`);
    expect(codeOf("curl", model)).toContain(`"${ORIGIN}/rate?preview=1"`);
    expect(codeOf("mcp-client", model)).toContain('arguments: { symbol: "EUR/USD", "odd name": 2 }');
    expect(codeOf("a2a", model)).toContain('params: { symbol: "EUR/USD", "odd name": 2 }');
  });

  test("name network, asset and price where no package checks them", () => {
    const code = codeOf("viem");
    for (const part of ['"eip155:8453"', '"0xUSDC"', "<= 3000n"]) expect(code).toContain(part);
  });

  test("are left out for networks the node is not paid on", () => {
    expect(idsOf({ ...MODEL, networks: [SOLANA] })).toEqual(["curl", "x402-solana", "mcp-config"]);
    expect(idsOf({ ...MODEL, networks: [ALGORAND] })).toEqual(["curl", "x402-algorand", "mcp-config"]);
    expect(idsOf({ ...MODEL, networks: [BASE] })).not.toContain("x402-solana");
  });

  test("are left out when nothing can be bought", () => {
    expect(renderQuickStarts({ ...MODEL, networks: [] })).toBe("");
    expect(renderQuickStarts({ ...MODEL, products: [plan("990000")] })).toBe("");
    expect(idsOf({ ...MODEL, products: [product("cheap", "3000")] })).not.toContain("prepaid-key");
  });

  test("know of the sandbox's chains only in the sandbox", () => {
    expect(renderQuickStarts(MODEL)).not.toContain("sandbox");
    const text = renderQuickStarts({ ...MODEL, sandbox: true });
    expect(text.match(new RegExp(`${ORIGIN}/__sandbox`, "g"))).toHaveLength(2);
    expect(text).toContain("test USDC on Base");
  });

  test("raise the client's limit of 1 USDC for a dearer plan, and for no other", () => {
    expect(codeOf("prepaid-key")).not.toContain("setSpendControls");
    const dear = { ...MODEL, products: [plan("2990000"), product("cheap", "3000")] };
    expect(codeOf("prepaid-key", dear)).toContain('setSpendControls({ maxAmountPerPayment: "$2.99" })');
  });

  test("name every package they import", () => {
    for (const { id, code, requires, language } of listQuickStarts(MODEL)) {
      if (language !== "js") continue;
      const imported = [...code.matchAll(/ from "((?:@[^/"]+\/)?[^/"]+)/g)].map(([, name]) => name ?? "");
      expect({ id, missing: imported.filter((name) => !requires.includes(name)) }).toEqual({ id, missing: [] });
      expect(imported.length).toBeGreaterThan(0);
    }
  });

  test("read only the variables they name, and name no others", () => {
    for (const { id, code, environment, language } of listQuickStarts(MODEL)) {
      if (language !== "js") continue;
      const read = [...code.matchAll(/process\.env\.(\w+)/g)].map(([, name]) => name ?? "");
      // The package reads its own key.
      const own = Object.keys(environment).filter((name) => name !== "OPENAI_API_KEY");
      expect({ id, read: read.sort() }).toEqual({ id, read: own.sort() });
    }
  });
});

test("every program is valid, in and outside the sandbox, and every configuration is JSON", () => {
  const transpiler = new Bun.Transpiler({ loader: "js" });
  const check = { js: (code: string) => void transpiler.transformSync(code), json: (code: string) => JSON.parse(code) };
  for (const sandbox of [true, false]) {
    for (const { language, code } of listQuickStarts({ ...MODEL, sandbox })) {
      if (language === "js" || language === "json") expect(() => check[language](code)).not.toThrow();
    }
  }
  expect(() => check.js("const = 1;")).toThrow();
});

test("a title cannot end its block of code", () => {
  const title = 'A "title"\n```\n# heading';
  const text = renderQuickStarts({ ...MODEL, products: [product("cheap", "3000", { title })] });
  expect(text.match(/^```/gm)).toHaveLength(2 * idsOf({ ...MODEL, products: [product("cheap", "3000")] }).length);
  expect(text).not.toMatch(/^# heading/m);
});
