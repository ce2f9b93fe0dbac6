import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { createTestModel, MODEL_TIME_MS, postProduct } from "../../test/helpers/surface-model.ts";
import type { SurfaceModel, SurfaceProduct } from "../surfaces/types.ts";
import { HEAD_SCRIPT, PLAYGROUND_SCRIPT, SCRIPT, VERIFY_SCRIPT } from "./assets.gen.ts";
import { renderDocs, renderProductDocs } from "./docs.ts";
import { type HomeFacts, renderHome } from "./home.ts";
import { renderHtml } from "./html.ts";
import { PAGE_HEADERS, PRODUCT_PAGE_HEADERS } from "./layout.ts";
import { NO_FACTS } from "./product/facts.ts";
import { renderProductPage } from "./product/page.ts";
import { renderFields } from "./schema-table.ts";
import type { ReceiptFacts } from "./status.ts";
import { ENGLISH } from "./words.ts";

const COMPRESSED_MAX = 50_000;
const RECEIPT: ReceiptFacts = {
  id: "rcpt_1",
  product: "mempool",
  amount_atomic: 8_000n,
  network_title: "Base",
  settled_at_ms: MODEL_TIME_MS,
  transaction: `0x${"a".repeat(64)}`,
  explorer_url: `https://basescan.org/tx/0x${"a".repeat(64)}`,
  label: "operator-test",
  on_chain: "confirmed",
};
const FACTS: HomeFacts = {
  ok: true,
  started_at_ms: MODEL_TIME_MS,
  paid_24h: 12_345,
  latency_ms: { key: 3.4, x402: null },
  networks: [
    { title: "Base", ok: true },
    { title: "Solana", ok: false },
  ],
  reasons: [],
  upstreams: [
    { provider: "a", ok: true },
    { provider: "b", ok: false },
  ],
  receipts: [RECEIPT],
  rows: new Map([
    [
      "regime",
      {
        subject: "",
        has_params: false,
        figure: { name: "regime", value: "bear", is_bare: false },
        age_s: 7_200,
        line: [1, 3, 2],
        line_title: "BTC, daily close",
      },
    ],
  ]),
  featured: ["fear-greed", "mempool"],
  headline: "regime",
};
const home = (model: SurfaceModel, facts: Partial<HomeFacts> = {}) =>
  renderHome({ model, facts: { ...FACTS, ...facts } });
const model = createTestModel();
/** The parts that a page lacks. A whole page would be too long for the message of a failed test. */
const lacking = (text: string, parts: readonly string[]) => parts.filter((part) => !text.includes(part));

describe("the first page", () => {
  test("shows the real state: what answers, what does not, and what has not been called yet", () => {
    const text = home(model, { reasons: ["Algorand: the seller's account does not exist <yet>"] });
    expect(text).toContain("</span>Up");
    expect(text).toContain("12,345");
    expect(text).toContain("1 of 2 answering");
    expect(text).toContain("facilitator does not answer");
    expect(text).toContain("does not exist &lt;yet&gt;");
    expect(text).toContain("no calls yet");
    expect(text).toContain("3 ms");
    expect(home(model, { ok: false })).toContain("Failing");
  });

  test("links a receipt and its transaction, and shows the payer", () => {
    const text = home(model);
    expect(text).toContain('href="/receipts/rcpt_1"');
    expect(text).toContain(`href="${RECEIPT.explorer_url}"`);
    expect(text).toContain("$0.008");
    expect(text).toContain("operator test");
    expect(text).toContain("on chain");
    expect(home(model, { receipts: [] })).toContain("Nothing was sold yet.");
  });

  test("escapes everything that comes from a facilitator", () => {
    const transaction = '"><script>x</script>';
    const text = home(model, {
      receipts: [{ ...RECEIPT, transaction, explorer_url: `https://x.example/${transaction}` }],
    });
    expect(text).not.toContain("<script>x");
    expect(text).toContain("https://x.example/&quot;&gt;&lt;script&gt;");
  });

  test("of a node without products and wallets invents nothing", () => {
    const empty = { ...createTestModel({ networks: [] }), products: [] };
    const text = home(empty, { receipts: [], networks: [], upstreams: [] });
    const shown = text.slice(text.indexOf("<main"), text.indexOf("</main>"));
    expect(shown.match(/undefined|NaN|Infinity|null|pays in USDC on|curl/g)).toBeNull();
  });

  test("warns of a sandbox, and only there", () => {
    const sandbox = home(createTestModel({ sandbox: true }));
    expect(sandbox).toContain("Sandbox.");
    expect(sandbox).toContain('<meta name="robots" content="noindex">');
    expect(sandbox).toContain("explorers do not know these");
    for (const part of ["Sandbox.", "noindex", "explorers do not know"]) expect(home(model)).not.toContain(part);
  });

  test("shows only the results of a search made without script", () => {
    const products = model.products.filter(({ id }) => id === "mempool");
    const text = renderHome({ model, facts: FACTS, found: { query: 'FEES "bitcoin"', products } });
    expect(text).toContain(`Best for this: <a href="/p/mempool">${products[0]?.title}</a>`);
    expect(lacking(text, ['href="/p/mempool"', 'value="FEES &quot;bitcoin&quot;"', "1 product found."])).toEqual([]);
    expect(text).not.toContain('href="/p/fear-greed"');
  });

  test("shows a product's newest free figure with its age, and the headline with its line", () => {
    const text = home(model);
    expect(
      lacking(text, ["<strong>bear</strong>", "<polyline", "free sample, 2 h old</time>", "BTC, daily close"]),
    ).toEqual([]);
    expect(home(model, { rows: new Map() })).not.toContain("<polyline");
  });

  test("states the subject of every figure: on top, in the cards and in the table", () => {
    const row = FACTS.rows.get("regime");
    if (!row) throw new Error("no row");
    const rows = new Map([
      ["regime", { ...row, subject: "<BTC>" }],
      ["mempool", { ...row, subject: "bitcoin" }],
    ]);
    const text = home(model, { rows });
    const shown = ["&lt;BTC&gt; · BTC, daily close", "bitcoin · regime", ">bitcoin</span></th>"];
    expect(lacking(text, shown)).toEqual([]);
  });

  test("lists every product once in its table, grouped by a buyer's wishes", () => {
    const text = home(model);
    const calls = model.products.filter(({ plan }) => plan === null);
    expect(
      lacking(
        text,
        calls.map(({ path }) => `<tr data-row="${path}">`),
      ),
    ).toEqual([]);
    expect(text.match(/<tr data-row/g)?.length).toBe(calls.length);
  });
});

describe("the reference", () => {
  const find = (of: SurfaceModel, path: string) => {
    const product = of.products.find((one) => one.path === path);
    if (!product) throw new Error(`no ${path}`);
    return product;
  };

  test("shows a product that takes a body with a call that sends one", () => {
    const of = createTestModel({ products: [postProduct] });
    const text = renderProductDocs(find(of, postProduct.path), of);
    const call = "curl -i -X POST -H &quot;Content-Type: application/json&quot; -d ";
    expect(
      lacking(text, [
        "POST GET",
        call,
        "<code>short</code> | <code>long</code>",
        "What is asked. · required, length at least 1",
      ]),
    ).toEqual([]);
  });

  test.each(model.products.map(({ path }) => path))("shows parameters, fields, example and price of %s", (path) => {
    const product = find(model, path);
    const text = renderProductDocs(product, model);
    for (const name of Object.keys(product.params.properties)) expect(text).toContain(`<code>${name}</code>`);
    const fields: Record<string, unknown> = product.data.properties ?? {};
    for (const name of Object.keys(fields)) expect(text).toContain(`<code>${name}</code>`);
    for (const title of ["Parameters", "Example call", "Example answer", "Errors"]) expect(text).toContain(title);
    expect(text).toContain(`href="${path}?preview=1"`);
  });

  test("links every product's page, and keeps the anchors from when it was one page", () => {
    const text = renderDocs(model);
    const parts = model.products.flatMap(({ id, path }) => [`id="${id}"`, `href="/docs${path}"`]);
    expect(lacking(text, parts)).toEqual([]);
  });

  test("is small on every page with 105 products", () => {
    const many = createTestModel({ count: 105 });
    const pages = [renderDocs(many), ...many.products.map((product) => renderProductDocs(product, many))];
    expect(pages.length).toBe(106);
    expect(Math.max(...pages.map((text) => Buffer.byteLength(text)))).toBeLessThan(100_000);
    expect(Math.max(...pages.map((text) => text.match(/<[a-z]/g)?.length ?? 0))).toBeLessThan(2_000);
  });
});

test("a schema with too many fields loses the deepest first, and their number is shown", () => {
  const inner = Object.fromEntries(Array.from({ length: 70 }, (_, n) => [`inner_${n}`, { type: "number" }]));
  const properties = { first: { type: "object", properties: inner }, last: { type: "string" } };
  const text = renderHtml(renderFields("Fields", { properties }, ENGLISH));
  expect(lacking(text, ["<code>first</code>", "inner_57", "<code>last</code>", "And 12 more inside."])).toEqual([]);
  expect(text).not.toContain("inner_58");
});

describe("the 402 page", () => {
  const [product] = model.products.filter(({ id }) => id === "mempool");
  if (!product) throw new Error("no product to show");
  const facts = { ...NO_FACTS, now_ms: MODEL_TIME_MS };
  const page = (fault: { code: string; message: string } | null, one = product) =>
    renderProductPage({ model, product: one, facts, words: ENGLISH, refused: { request_id: "req_1", fault } });

  test("is titled after its product, and says that nothing was charged", () => {
    expect(page(null)).toContain(`<title>${product.title} · `);
    expect(lacking(page(null), ["402 · Payment required", "req_1"])).toEqual([]);
  });

  test("names the networks of this product's own challenge, and no others", () => {
    const { accepts } = product.challenge;
    expect(accepts.length).toBe(3);
    const first = { ...product, challenge: { ...product.challenge, accepts: accepts.slice(0, 1) } };
    expect(page(null)).toContain("pay-to-solana");
    expect(page(null, first)).toContain("pay-to-base");
    expect(page(null, first)).not.toContain("pay-to-solana");
  });

  test("says why a payment was refused, as text", () => {
    const text = page({ code: "invalid_payment", message: "Signed <b>nothing</b>." });
    expect(text).toContain("Signed &lt;b&gt;nothing&lt;/b&gt;.");
    expect(text).toContain('href="/errors#invalid_payment"');
    expect(page(null)).not.toContain("was not taken");
  });

  test("is excluded from search engines", () => {
    expect(page(null)).toContain('content="noindex"');
  });
});

test("a product's page says how to recompute its answer, if the inputs are kept", () => {
  const show = (one: SurfaceProduct, keeps_inputs: boolean) =>
    renderProductPage({
      model,
      product: one,
      words: ENGLISH,
      facts: { ...NO_FACTS, keeps_inputs, now_ms: MODEL_TIME_MS },
    });
  const command = `${model.node.public_url}/receipts/$RECEIPT_ID/bundle | intel-node recompute -`;
  const [plan] = model.products.filter((one) => one.plan !== null);
  const [call] = model.products.filter((one) => one.plan === null);
  if (!plan || !call) throw new Error("the model has both");
  expect(show(call, true)).toContain(command);
  expect(show(call, false)).not.toContain("recompute");
  // A plan's answer is not kept, because it shows a key once.
  expect(show(plan, true)).not.toContain("recompute");
});

describe("every page", () => {
  const facts = { ...NO_FACTS, now_ms: MODEL_TIME_MS };
  const showProduct = (product: SurfaceProduct) => renderProductPage({ model, product, facts, words: ENGLISH });
  const pages = [
    home(model),
    renderDocs(model),
    ...model.products.flatMap((one) => [renderProductDocs(one, model), showProduct(one)]),
  ];
  const hashOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

  const assertAllowed = (text: string, headers: Readonly<Record<string, string>>) => {
    const policy = headers["Content-Security-Policy"] ?? "";
    const style = /<style>(.*?)<\/style>/s.exec(text)?.[1] ?? "";
    expect(policy).toContain(`style-src ${hashOf(style)};`);
    const allowed = /script-src ([^;]*);/.exec(policy)?.[1]?.split(" ") ?? [];
    const scripts = [...text.matchAll(/<script>(.*?)<\/script>/gs)].map(([, script = ""]) => hashOf(script));
    expect(scripts).toHaveLength(1);
    expect(scripts.filter((hash) => !allowed.includes(hash))).toEqual([]);
  };

  test("has exactly the style and the script that its policy allows", () => {
    for (const text of pages) assertAllowed(text, PAGE_HEADERS);
    for (const product of model.products) assertAllowed(showProduct(product), PRODUCT_PAGE_HEADERS);
  });

  test.each([HEAD_SCRIPT, SCRIPT, PLAYGROUND_SCRIPT, VERIFY_SCRIPT])(
    "runs scripts that can be read, and never make markup",
    (text) => {
      expect(() => new Bun.Transpiler({ loader: "js" }).transformSync(text)).not.toThrow();
      expect(text).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|<\//);
    },
  );

  test("of a product is small: less than 40 kB compressed", () => {
    const sizes = model.products.map((one): [string, number] => [one.id, gzipSync(showProduct(one)).length]);
    expect(sizes.filter(([, bytes]) => bytes >= 40_000)).toEqual([]);
  });

  test("is small with 90 products", () => {
    const many = createTestModel({ count: 90 });
    expect(many.products.length).toBe(90);
    expect(gzipSync(home(many)).length).toBeLessThan(COMPRESSED_MAX);
  });
});
