import { describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { Type } from "@sinclair/typebox";
import { listProjectFiles, readFiles } from "../../test/helpers/source-files.ts";
import { createTestModel, MODEL_TIME_MS } from "../../test/helpers/surface-model.ts";
import { BASKET_PATH } from "../catalog/basket-items.ts";
import { ERRORS } from "../core/errors.ts";
import { registry } from "../plugins/registry.gen.ts";
import { renderAboutText, renderTermsText, type Say, sayEnglish } from "../surfaces/texts.ts";
import type { SurfaceModel } from "../surfaces/types.ts";
import { DATA_PAGES, renderDataPage } from "./data-pages.ts";
import { renderDocs, renderProductDocs } from "./docs.ts";
import { renderHome } from "./home.ts";
import FIELDS from "./languages/fields-pt-br.json" with { type: "json" };
import PRODUCTS from "./languages/products-pt-br.json" with { type: "json" };
import PORTUGUESE from "./languages/pt-br.json" with { type: "json" };
import { type MethodFamily, renderMethod, renderMethodology } from "./methodology.ts";
import { renderProblemPage } from "./problem.ts";
import { NO_FACTS } from "./product/facts.ts";
import { renderProductPage } from "./product/page.ts";
import { type QuoteFacts, renderQuotePage } from "./quote.ts";
import { renderReceiptPage, renderReceiptsPage } from "./receipt-pages.ts";
import type { ReceiptFacts } from "./status.ts";
import { TEXT_PAGES } from "./text-pages.ts";
import { renderTrackPage } from "./track/page.ts";
import { renderStatusPage } from "./uptime/page.ts";
import { sumUp } from "./uptime/samples.ts";
import { showDollars, type Words, wordsOf } from "./words.ts";

const PT = wordsOf("pt-BR");
const phrases = Object.entries(PORTUGUESE);
const holesOf = (text: string): string[] => [...text.matchAll(/\{\d\}/g)].map(([hole]) => hole).sort();

describe("a phrase", () => {
  test("has the same placeholders in both languages, and typographic signs", () => {
    expect(phrases.filter(([english, own]) => holesOf(english).join() !== holesOf(own).join())).toEqual([]);
    // Portuguese is not typeset with straight quotes, three dots or a space before the percent sign.
    expect(phrases.filter(([, own]) => own === "" || /"|\.\.\.|\d %/.test(own))).toEqual([]);
  });

  test("is used somewhere in the pages; unused ones are removed", () => {
    const sources = readFiles(listProjectFiles().filter((path) => /^src\/.*(?<!\.test)\.ts$/.test(path)));
    const all = [...sources.values()].join("\n");
    expect(phrases.map(([english]) => english).filter((english) => !all.includes(`"${english}"`))).toEqual([]);
  });

  test("exists for every sentence of the terms and of the operator's page", () => {
    const unknown: string[] = [];
    const say: Say = (text, ...values) => {
      if (!Object.hasOwn(PORTUGUESE, text)) unknown.push(text);
      return sayEnglish(text, ...values);
    };
    for (const sandbox of [true, false]) {
      for (const contact_email of ["a@example.com", null]) {
        const model = createTestModel({ sandbox, node: { contact_email, security_contact: "b@example.com" } });
        for (const render of [renderAboutText, renderTermsText]) render(model, say);
      }
    }
    expect(unknown).toEqual([]);
  });
});

test("a product with a Portuguese name has its texts in Portuguese; no text belongs to a removed product", () => {
  const built_in = registry.flatMap(({ products }) => products.map(({ product }) => product.path));
  const plans = createTestModel().products.flatMap(({ path, plan }) => (plan === null ? [] : [path]));
  const paths: readonly string[] = [...built_in, ...plans, BASKET_PATH];
  // A new product is one folder. Without a Portuguese title its English one is shown, marked as English.
  expect(Object.keys(PRODUCTS).filter((path) => !paths.includes(path))).toEqual([]);
  const named = paths.filter((path) => /^\/(?:analise|sinais|anomalias|relatorio|br-.*|job\/br-.*)$/.test(path));
  expect(named.length).toBe(10);
  const written = new Map(
    Object.entries(PRODUCTS).flatMap(([path, one]) => ("description" in one ? [[path, one]] : [])),
  );
  expect(named.filter((path) => !written.has(path))).toEqual([]);
});

test("a product's page has the meaning of fields in Portuguese, and marks the others as English", () => {
  const model = createTestModel();
  const product = model.products.find(({ path }) => path === "/br-macro");
  if (!product) throw new Error("/br-macro is not sold");
  const facts = { ...NO_FACTS, now_ms: MODEL_TIME_MS };
  const render = (words: Words) => renderProductPage({ model, product, facts, words });
  const english = "Selic target, % a year.";
  const meanings = (page: string) => [...page.matchAll(/<td>((?:<span[^>]*>)?)([^<]+)(?:<\/span>)?<\/td><\/tr>/g)];
  expect(render(wordsOf("en"))).toContain(`<td>${english}</td>`);
  expect(render(PT)).toContain(`<td>${FIELDS[english]}</td>`);
  expect(render(PT)).not.toContain(english);
  const unknown = { ...product, data: Type.Object({ odd: Type.String({ description: "Odd one." }) }) };
  const shown = renderProductPage({ model, product: unknown, facts, words: PT });
  expect(meanings(shown).map(([, mark, text]) => [mark, text])).toContainEqual(['<span lang="en">', "Odd one."]);
  expect(meanings(render(PT)).filter(([, mark]) => mark === '<span lang="en">')).toEqual([]);
});

const STATUS = {
  ...({ latency: "", now_ms: MODEL_TIME_MS } as const),
  lists: {
    answered_ms: new Map(),
    unavailable: new Map(),
    sources: [],
    withheld: [{ path: "/llm", for_buyers: "it is not sold here" }],
  },
} as const;

const FAMILY: MethodFamily = {
  id: "risk",
  title: "Portfolio risk",
  text: "# Risk\n\nHow it is made.\n\n## Method\n\nBy hand.\n\n## Limits\n\nNone.\n",
  products: ["mempool"],
  digests: { risk: "ab" },
  is_named: true,
};

/** Every kind of page in one language, with the pages of the given number of products. */
function renderAll(words: Words, products_max = 3): readonly (readonly [name: string, text: string])[] {
  const model = createTestModel({ sandbox: true });
  const receipt: ReceiptFacts = {
    id: "rcpt_1",
    product: "mempool",
    amount_atomic: 8_000n,
    network_title: "Base",
    settled_at_ms: MODEL_TIME_MS,
    transaction: "0xabc",
    explorer_url: null,
    label: "organic",
    on_chain: "pending",
  };
  const health = {
    ok: true,
    reasons: ["Algorand: no seller"],
    started_at_ms: MODEL_TIME_MS,
    paid_24h: 1_234,
    latency_ms: { key: 3, x402: null },
    networks: [{ title: "Base", ok: true }],
    upstreams: [{ provider: "a", ok: false }],
  };
  const facts = { ...health, receipts: [receipt], rows: new Map(), featured: ["mempool"], headline: null };
  const product_facts = {
    ...NO_FACTS,
    receipts: [receipt],
    keeps_inputs: true,
    now_ms: MODEL_TIME_MS,
    runs: { days: 30, ok: 9, failed: 1 },
  };
  const problem = {
    status: 429,
    title: ERRORS.rate_limited.title,
    code: "rate_limited",
    message: "Too many.",
    request_id: "req_1",
    retry_after_s: 3,
  };
  const families = [FAMILY];
  return [
    ["/", renderHome({ model, facts, words })],
    ["/docs", renderDocs(model, words)],
    ...model.products.slice(0, products_max).flatMap((product): [string, string][] => [
      [`/docs${product.path}`, renderProductDocs(product, model, words)],
      [`/p${product.path}`, renderProductPage({ model, product, facts: product_facts, words })],
    ]),
    ...Object.entries(TEXT_PAGES).map(([path, page]): [string, string] => [path, page.render(model, words)]),
    ...Object.keys(DATA_PAGES).map((path): [string, string] => [
      path,
      renderDataPage({ model, path, data: {}, words }),
    ]),
    [
      "/quote",
      renderQuotePage({ model, words, asked: { lines: [{ product: "", calls: null }], days: 30 }, quote: QUOTE }),
    ],
    ["404", renderProblemPage(model, problem, words)],
    ["/methodology", renderMethodology({ model, families, words })],
    ["/methodology/risk", renderMethod({ model, words, changes: [], sample: null }, FAMILY)],
    [
      "/receipts",
      renderReceiptsPage({ model, words, asked: {}, receipts: [receipt], next_cursor: "2", totals: TOTALS }),
    ],
    ["/receipts/1", renderReceiptPage({ model, words, receipt: { id: "rcpt_1", product: "mempool", signed: {} } })],
    ["/track-record", renderTrack(model, words)],
    ["/status", renderStatusPage({ model, health, past: sumUp([], MODEL_TIME_MS), ...STATUS, words })],
  ];
}
const QUOTE: QuoteFacts = {
  calls: [{ path: "/mempool", count: 10, price_usd: "0.01", total_usd: "0.1" }],
  single: { payments: 10, total_usd: "0.1" },
  credits: [],
  passes: [],
  warnings: [],
  cheapest: { kind: "single", total_usd: "0.1" },
};
const TOTALS = { organic: 1, operator_test: 0 };

function renderTrack(model: SurfaceModel, words: Words): string {
  const graded = [1, -1].map((sign, index) => ({
    seq: index + 1,
    symbol: "BTC",
    side: "long",
    horizon_h: 24,
    confidence: 50,
    exit_ms: MODEL_TIME_MS,
    net_bps: sign * 120.5,
    long_net_bps: 10,
    hit: sign > 0,
  }));
  const evidence = [
    { seq: 1, record: { symbol: "BTC", side: "long", emitted_at: "2026-01-02T03:00:00Z" }, record_hash: "aa" },
  ].map((one) => ({ ...one, outcome: null, outcome_hash: null, outcome_seq: null }));
  const statement = { payload: {}, payload_canonical: "", signature: "", key_id: "" };
  const facts = { statement, as_of_ms: MODEL_TIME_MS, age_s: 60, evidence, graded, missed: 0, equity: "" as const };
  return renderTrackPage({ model, facts, words });
}

/** The readable text of a page, without code and without text marked as English. */
function readPortuguese(page: string): string {
  const texts: string[] = [];
  const left_out: string[] = [];
  const silent = "code, pre, script, style, svg, [lang='en'], option, .shown, time";
  const note = (text: string | null) => {
    if (text && left_out.length === 0) texts.push(text);
  };
  new HTMLRewriter()
    .on("*", {
      element(element) {
        for (const name of ["aria-label", "placeholder", "title", "data-none"]) note(element.getAttribute(name));
        if (element.tagName === "meta" && element.getAttribute("name") === "description") {
          note(element.getAttribute("content"));
        }
      },
    })
    .on(silent, {
      element(element) {
        left_out.push(element.tagName);
        element.onEndTag(() => void left_out.pop());
      },
    })
    .onDocument({ text: ({ text }) => note(text) })
    .transform(page);
  return texts.join("\n");
}

/** Words of English sentences that do not exist in Portuguese; names of fields, with an underscore, do not count. */
const ENGLISH_WORDS =
  /(?<![\p{L}_/.-])(?:the|of|and|with|is|are|from|for|this|that|its|it|not|by|was|which|what|how)(?![\p{L}_/-])/giu;

describe("the Portuguese pages", () => {
  const pages = renderAll(PT, Number.POSITIVE_INFINITY);

  test("have no English text except what is marked as English", () => {
    const found = pages.flatMap(([name, page]): string[] => {
      expect(page).toContain('<html lang="pt-BR">');
      const shown = readPortuguese(page);
      expect(shown).toContain("Produtos");
      return shown.split("\n").flatMap((line) => (line.match(ENGLISH_WORDS) ? [`${name}: ${line}`] : []));
    });
    expect(found.slice(0, 20)).toEqual([]);
  });

  test("describe every parameter, field, source and free path in Portuguese", () => {
    const in_english = /<td><span lang="en">|<span class="(?:title|sub)"><span lang="en">/;
    expect(pages.filter(([, page]) => in_english.test(page)).map(([name]) => name)).toEqual([]);
  });

  test("are about as small as the English ones", () => {
    const portuguese = renderAll(PT);
    const sizes = renderAll(wordsOf("en")).map(([name, text], index): [string, number] => {
      const own = gzipSync(portuguese[index]?.[1] ?? "").length;
      return [name, own / gzipSync(text).length];
    });
    expect(sizes.filter(([, share]) => share > 1.15)).toEqual([]);
  });
});

describe("a page", () => {
  test("names its address in each language, and as its own the requested one", () => {
    const model = createTestModel();
    const facts = { ...NO_FACTS, now_ms: MODEL_TIME_MS };
    const [product] = model.products;
    if (!product) throw new Error("nothing is sold");
    const render = (words: Words) => renderProductPage({ model, product, facts, words });
    const url = `https://node.example.com/p${product.path}`;
    const alternates = [...render(PT).matchAll(/rel="alternate" hreflang="([^"]+)" href="([^"]+)"/g)].map(
      ([, language, href]) => [language, href],
    );
    expect(alternates).toEqual([
      ["en", `${url}?lang=en`],
      ["pt-BR", `${url}?lang=pt-BR`],
      ["x-default", url],
    ]);
    expect(render(PT)).toContain(`rel="canonical" href="${url}"`);
    expect(render(wordsOf("pt-BR", true))).toContain(`rel="canonical" href="${url}?lang=pt-BR"`);
  });

  test("keeps a chosen language in its links and forms, and no other", () => {
    const chosen = renderAll(wordsOf("pt-BR", true));
    for (const [, page] of chosen) {
      expect(page).toContain('href="/status?lang=pt-BR"');
      const forms = page.match(/<form[^>]*action="\/(?:receipts|quote|guide\/search)?"[^>]*>/g) ?? [];
      expect(page.match(/name="lang" value="pt-BR"/g)?.length ?? 0).toBe(forms.length);
    }
    expect(renderAll(PT).filter(([, page]) => page.includes('name="lang"'))).toEqual([]);
  });
});

describe("numbers, money and time", () => {
  test("are written in the reader's form", () => {
    expect([PT.number(1_234.5), wordsOf("en").number(1_234.5)]).toEqual(["1.234,5", "1,234.5"]);
    expect([PT.percent(12.345, 1), wordsOf("en").percent(12.345, 1)]).toEqual(["12,3%", "12.3 %"]);
    expect([showDollars("0.001", PT), showDollars("0.001", wordsOf("en"))]).toEqual(["US$ 0,001", "$0.001"]);
    const ms = Date.UTC(2026, 10, 21, 12, 40);
    expect([PT.time(ms), wordsOf("en").time(ms)]).toEqual(["21/11/2026 12:40 UTC", "2026-11-21 12:40 UTC"]);
  });
});

test("every page marks its times so that scripts can show them in the reader's zone", () => {
  const pages = renderAll(wordsOf("en"));
  const moments = pages.filter(([, text]) => text.includes('<time datetime="2'));
  expect(moments.map(([name]) => name)).toEqual(expect.arrayContaining(["/", "/status", "/receipts", "/track-record"]));
  const loose = pages.filter(([, text]) =>
    /\d{4}-\d\d-\d\d \d\d:\d\d UTC/.test(
      text.replaceAll(/<script>.*?<\/script>|<code[^>]*>.*?<\/code>|<time[^>]*>[^<]*<\/time>|"[^"]*"/gs, ""),
    ),
  );
  expect(loose.map(([name]) => name)).toEqual([]);
});
