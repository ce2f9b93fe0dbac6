import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { TSchema } from "@sinclair/typebox";
import ts from "typescript";
import { getOwn } from "../../src/core/own.ts";
import fields from "../../src/pages/languages/fields-pt-br.json" with { type: "json" };
import products from "../../src/pages/languages/products-pt-br.json" with { type: "json" };
import pages from "../../src/pages/languages/pt-br.json" with { type: "json" };
import texts from "../../src/pages/languages/texts-pt-br.json" with { type: "json" };
import { registry } from "../../src/plugins/registry.gen.ts";
import { ensureProgram, noteSkipped } from "../helpers/debian-package.ts";
import { parseSource, visitAll } from "../helpers/source-files.ts";

// Whoever writes in Portuguese is read by people who know it: an independent dictionary (Hunspell's of Brazil, VERO)
// reads every sentence of the report's templates, whichever of them the day's figures choose, and of the pages.
const ROOT = join(import.meta.dir, "..", "..");
const WRITTEN = ["shared/written/portuguese.ts", "shared/written/portuguese-labels.ts", "relatorio/compute.ts"];
const BUILT_IN = registry.flatMap((plugin) => plugin.products.map(({ product }) => product));
const PRODUCTS: Readonly<Record<string, { readonly title: string; readonly description?: string }>> = products;
/** Names, tickers and words of the trade that a dictionary of the language has not. */
const TERMS: ReadonlySet<string> = new Set([
  ...[
    "IBC",
    "post",
    "ADX",
    "ATR",
    "BDR",
    "BTC",
    "Bitcoin",
    "Backtest",
    "Bollinger",
    "Copom",
    "DAP",
    "ETF",
    "ETH",
    "Ibovespa",
    "MACD",
  ],
  ...["Insiders", "Markdown", "PTAX", "Pools", "Pyth", "RSI", "SEC", "Svensson", "USD", "Whale", "chain", "commodity"],
  // Forms of a date: year, month, day.
  ...["AAAA", "AAAAMMDD"],
  // "mail" of "e-mail", whose halves are looked up alone.
  ...[
    "criptomoeda",
    "criptomoedas",
    "funding",
    "hashes",
    "job",
    "mail",
    "on",
    "pools",
    "satoshis",
    "stablecoins",
    "swap",
    "token",
    "tokens",
    "unit",
  ],
]);

const wordsOf = (text: string): readonly string[] => text.match(/\p{L}[\p{L}\p{M}]*/gu) ?? [];
const readWritten = (file: string) => Bun.file(join(ROOT, "src/plugins/brazil", file)).text();

/** Sentences of a source file: texts of more than one word, and what stands between the figures of its templates. */
async function readSentences(file: string): Promise<readonly string[]> {
  const found: string[] = [];
  const add = (text: string) => {
    if (!/ could not be had|its value is unknown|^risks\.$/.test(text)) found.push(text);
  };
  visitAll(parseSource(file, await readWritten(file)), (node) => {
    if (ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) add(node.text);
    else if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) {
      if (node.text.includes(" ")) add(node.text);
    }
  });
  return found;
}

/** Translations, each with its English original: a word that both have is a term. */
function listTranslated(original: string, value: unknown): readonly string[] {
  if (typeof value === "string") {
    const terms = new Set(wordsOf(original.toLowerCase()));
    return wordsOf(value).filter((word) => !terms.has(word.toLowerCase()));
  }
  return Object.entries(value ?? {}).flatMap(([key, inner]) => listTranslated(key, inner));
}

/** What a product is called and described with in English; "" for what is no built-in product. */
const originalOf = (path: string): string => {
  const product = BUILT_IN.find((one) => one.path === path);
  return product === undefined ? "" : `${product.title} ${product.description}`;
};

/** What a schema says of itself and of its fields, at any depth. */
function listDescriptions({ description = "", properties, items }: TSchema): readonly string[] {
  const inner = [...Object.values((properties ?? {}) as Readonly<Record<string, TSchema>>), items ?? {}] as TSchema[];
  return [description, ...inner.filter((one) => Object.keys(one).length > 0).flatMap((one) => listDescriptions(one))];
}

/** Words the dictionary has not; null where there is no dictionary. */
function listMisspelled(words: readonly string[]): readonly string[] | null {
  const missing = ensureProgram("hunspell", "hunspell hunspell-pt-br");
  const checked =
    missing === null
      ? Bun.spawnSync(["hunspell", "-d", "pt_BR", "-i", "utf-8", "-l"], {
          stdin: Buffer.from([...new Set(words)].join("\n")),
          stderr: "pipe",
        })
      : null;
  if (checked?.exitCode === 0)
    return checked.stdout
      .toString()
      .split("\n")
      .filter((word) => word !== "");
  noteSkipped("the spelling of Portuguese texts", missing ?? checked?.stderr.toString().trim() ?? "");
  return null;
}

describe("Portuguese", () => {
  test("is spelled as the dictionary has it, in the report and on the pages", async () => {
    const sentences = (await Promise.all(WRITTEN.map(readSentences))).flat();
    const words = [
      ...sentences.flatMap(wordsOf),
      ...listTranslated("", pages),
      ...Object.entries(PRODUCTS).flatMap(([path, own]) =>
        Object.values(own).flatMap((text) => listTranslated(`${path} ${originalOf(path)}`, text)),
      ),
      ...listTranslated("", texts),
      ...listTranslated("", fields),
    ];
    expect(words.length).toBeGreaterThan(1_500);
    const misspelled = listMisspelled([...words, "Ibovspa"]);
    if (misspelled) expect(misspelled.filter((word) => !TERMS.has(word))).toEqual(["Ibovspa"]);
  });

  test("has the title and the description of every product", () => {
    const lacking = BUILT_IN.filter(({ path }) => {
      const own = getOwn(PRODUCTS, path);
      return own?.title === undefined || own.description === undefined;
    });
    expect(lacking.map(({ path }) => path)).toEqual([]);
    // Values that software reads, in capitals, stay what they are.
    const verdicts = BUILT_IN.flatMap(({ path, description }) =>
      (description.match(/\b[A-Z]{4,}\b/g) ?? [])
        .filter((word) => /^(?:AVOID|BLOCK|CAUTION|CLEAR|SIZE|WATCH)$/.test(word))
        .flatMap((word) => (getOwn(PRODUCTS, path)?.description?.includes(word) ? [] : [`${path} ${word}`])),
    );
    expect(verdicts).toEqual([]);
  });

  test("has what every parameter means, and on what terms every source is used", () => {
    const described = BUILT_IN.flatMap(({ params }) => Object.values(params.properties as Record<string, TSchema>));
    const meanings = described.map(({ description }) => description);
    const terms = BUILT_IN.flatMap(({ providers }) => providers.map((provider) => provider.terms.note));
    const needed = [...meanings, ...terms].filter((text) => typeof text === "string");
    expect([...new Set(needed)].filter((text) => !Object.hasOwn(texts, text))).toEqual([]);
  });

  test("says of fields what some product says of them today, once, set as the rest of the pages is", () => {
    const said = new Set(BUILT_IN.flatMap(({ data }) => listDescriptions(data)));
    const own = Object.entries(fields);
    expect(own.length).toBeGreaterThan(150);
    expect(own.filter(([english]) => !said.has(english) || Object.hasOwn(texts, english))).toEqual([]);
    expect(own.filter(([, text]) => text === "" || /"|\.\.\.|\d %|\d\.\d(?!\d{2})/.test(text))).toEqual([]);
    // What software reads stays what it is.
    const codes = own.filter(([english, text]) =>
      (english.match(/`[^`]+`|\b\w+_\w+\b/g) ?? []).some((code) => !text.includes(code)),
    );
    expect(codes).toEqual([]);
  });

  test("writes numbers with a comma, money with a space, and no English word of a unit", async () => {
    const sentences = (await Promise.all(WRITTEN.map(readSentences))).flat();
    for (const sentence of sentences) {
      expect([sentence, /\d\.\d(?!\d{2})|\bR\$\d|\bUS\$\d|\bpercent\b|\bbillion\b/.test(sentence)]).toEqual([
        sentence,
        false,
      ]);
    }
  });
});
