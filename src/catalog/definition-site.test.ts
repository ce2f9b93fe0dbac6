import { describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { createCatalog } from "./catalog.ts";
import { findDefinition } from "./definition-site.ts";
import { type AnyProduct, defineProduct } from "./product.ts";
import { defineProvider } from "./provider.ts";

const base: AnyProduct = {
  path: "/own",
  title: "Own",
  description: "Own.",
  category: "test",
  tags: [],
  price_usd: "0.001",
  params: Type.Object({}),
  data: Type.Object({ n: Type.Number() }),
  example: { params: {}, as_of: "2026-01-01T00:00:00Z", data: { n: 1 } },
  providers: [],
  requires: [],
  ttl: "0s",
  deadline_ms: 1_000,
  preview: { every: "1h" },
  fetch: async () => 1,
  compute: () => ({ as_of_ms: 0, data: { n: 1 }, warnings: [] }),
};

const faultsOf = (product: AnyProduct) =>
  createCatalog({
    plugins: [
      {
        id: "p",
        title: "P",
        file: "p.ts",
        origin: "operator",
        jobs: [],
        simulators: [],
        products: [{ file: "p.ts", product }],
      },
    ],
    prices: {},
    preview_delay_ms: 0,
    reserved_paths: [],
    whyNot: () => null,
  }).faults;

describe("a definition", () => {
  test("knows the file and line it is written in", () => {
    const line = Number(/definition-site\.test\.ts:(\d+)/.exec(new Error().stack ?? "")?.[1]);
    const product = defineProduct(base);
    expect(findDefinition(product)).toEqual({ file: import.meta.path, line: line + 1 });
    expect(findDefinition({})).toBeNull();
  });

  test("with an unknown option is refused, naming the likely one and the line", () => {
    const faulty = {
      ...base,
      prefiew: {},
      preview: { every: "1h", redakt: () => null },
      example: { ...base.example, at: 1 },
    };
    const product = defineProduct(faulty as unknown as AnyProduct);
    const { line } = findDefinition(product) ?? {};
    expect(faultsOf(product)).toEqual(
      [
        'option "prefiew" is not known: did you mean "preview"?',
        'option "preview.redakt" is not known: did you mean "preview.redact"?',
        'option "example.at" is not known',
      ].map((message) => ({ file: import.meta.path, line: line ?? 0, message, fatal: false })),
    );
    expect(faultsOf(defineProduct(base))).toEqual([]);
  });

  test("of a provider is refused with its own line", () => {
    const limits = { rate_per_s: 1, burst: 1, timeout_ms: 1, attempts: 1, body_bytes_max: 1 };
    const given = { id: "own", title: "Own", docs_url: "https://a.example", base_urls: ["https://a.example"] };
    const terms = { class: "open" as const, note: "" };
    expect(() => defineProvider({ ...given, terms, limits, baseurl: 1 } as never)).toThrow('option "baseurl" is not');
    expect(() => defineProvider({ ...given, terms: { ...terms, clas: 1 }, limits } as never)).toThrow("terms.clas");
    expect(() => defineProvider({ ...given, terms, limits: { ...limits, rate: 1 } } as never)).toThrow("limits.rate");
  });
});
