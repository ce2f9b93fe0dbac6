import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import ts from "typescript";
import { getOwn } from "../../src/core/own.ts";
import fields from "../../src/pages/languages/fields-pt-br.json" with { type: "json" };
import products from "../../src/pages/languages/products-pt-br.json" with { type: "json" };
import pages from "../../src/pages/languages/pt-br.json" with { type: "json" };
import texts from "../../src/pages/languages/texts-pt-br.json" with { type: "json" };
import { registry } from "../../src/plugins/registry.gen.ts";
import { listAPITexts } from "../helpers/api-texts.ts";
import { ensureProgram, noteSkipped } from "../helpers/debian-package.ts";
import { parseSource, visitAll } from "../helpers/source-files.ts";

// Whoever writes in Portuguese is read by people who know it: an independent dictionary (Hunspell's of Brazil, VERO)
// reads every sentence of the report's templates, whichever of them the day's figures choose, and of the pages.
const ROOT = join(import.meta.dir, "..", "..");
const WRITTEN = ["written/portuguese.ts", "written/portuguese-labels.ts", "relatorio/compute.ts"];
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
  // Of shares and risk: an identifier, capital expenditure, a loss at risk, prices that ran too far, a gap of prices.
  ...["CUSIP", "VaR", "capex", "microlamports", "sobrecomprado", "sobrevendido", "spread"],
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

/** A Portuguese text of the API with its English one, and the file both stand in. */
interface Translation {
  readonly english: string;
  readonly own: string;
}
const API_TEXTS = listAPITexts();
const API_FILES = [
  { file: "src/pages/languages/fields-pt-br.json", table: fields, needed: API_TEXTS.fields },
  { file: "src/pages/languages/texts-pt-br.json", table: texts, needed: API_TEXTS.texts },
].map(({ table, ...rest }) => ({ ...rest, table: table as Readonly<Record<string, string>> }));
const TRANSLATIONS = API_FILES.flatMap(({ table }) =>
  Object.entries(table).map(([english, own]): Translation => ({ english, own })),
);
/** Those of which a rule is broken, to be read in the message of the test that fails. */
const listBroken = (isBroken: (one: Translation) => boolean): readonly string[] =>
  TRANSLATIONS.filter(isBroken).map(({ english, own }) => `${english} = ${own}`);

/** What software reads: in backquotes, with an underscore, or an address. */
const CODES = /`[^`]+`|\b(?:\w+\.)*\w+_\w+\b|(?<![\w.>])\/[a-z][\w-]*(?:\/[\w-]+)*|\{\d\}/g;
/** Numbers of a text, without those of codes; hours of a day without their ":00". */
function numbersOf(text: string, language: "en" | "pt"): string {
  const bare = text.replaceAll(/`[^`]*`|\S*_\S*/g, "").replaceAll(/(\d):00\b/g, "$1");
  const plain =
    language === "en"
      ? bare.replaceAll(/(?<=\d),(?=\d{3})/g, "")
      : bare.replaceAll(/(?<=\d)\.(?=\d{3})/g, "").replaceAll(/(?<!\d|\d,)(\d+),(\d+)(?!,?\d)/g, "$1.$2");
  const found = plain.match(/\d+(?:\.\d+)?/g) ?? [];
  return found
    .map((one) => one.replace(/^0+(?=\d)/, ""))
    .sort()
    .join(" ");
}
/** Words of English sentences, and of their units, that are no words of Portuguese; values of fields are not meant. */
const ENGLISH_WORDS =
  "the|of|and|with|is|are|from|for|this|that|its|it|not|by|was|which|what|when|only|or|an|null|percent|points|dollars";
const ENGLISH = new RegExp(`(?<![\\p{L}\\p{N}_/.-])(?:${ENGLISH_WORDS}|share|whether)(?![\\p{L}\\p{N}_/-])`, "iu");
/** Texts whose address is not theirs to repeat: it says where terms stand that the Portuguese text names. */
const NAMED_BY_SITE: ReadonlySet<string> = new Set(["terms_of_use"]);
/** Numbers with a dot that are names: items of a form, versions of a licence, paragraphs of terms. */
const DOTTED_NAMES = /\b(?:5\.02|9\.4|4\.6|4\.0|v3\.0|1\.0|0\.3|3\.1\.0)\b|"quantity":0\.5/g;

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

  for (const { file, table, needed } of API_FILES) {
    test(`has every text that ${file} is for, and none that is no longer used`, () => {
      expect(needed.size).toBeGreaterThan(200);
      const missing = [...needed].filter((english) => !Object.hasOwn(table, english));
      expect({ "add their Portuguese to": file, missing }).toEqual({ "add their Portuguese to": file, missing: [] });
      const unused = Object.keys(table).filter((english) => !needed.has(english));
      expect({ "take out of": file, unused }).toEqual({ "take out of": file, unused: [] });
    });
  }

  test("has texts of the API that say no less and no more than the English ones", () => {
    expect(listBroken(({ own }) => own.trim() !== own || own === "")).toEqual([]);
    // What software reads stays what it is, and so does every number.
    const isCodeLost = ({ english, own }: Translation): boolean =>
      (english.match(CODES) ?? []).some((code) => !own.includes(code) && !NAMED_BY_SITE.has(code));
    expect(listBroken(isCodeLost)).toEqual([]);
    expect(listBroken(({ english, own }) => numbersOf(english, "en") !== numbersOf(own, "pt"))).toEqual([]);
    // A sentence stays a sentence, a fragment a fragment, and a unit is named in both or in neither.
    expect(listBroken(({ english, own }) => english.endsWith(".") !== own.endsWith("."))).toEqual([]);
    expect(listBroken(({ english, own }) => /basis points?\b/.test(english) && !/pontos?-base/.test(own))).toEqual([]);
    expect(listBroken(({ english, own }) => /\bUS dollars?\b/.test(english) && !/dólar/i.test(own))).toEqual([]);
    expect(listBroken(({ english, own }) => /\bpercent\b/.test(english) && !/%|cent/.test(own))).toEqual([]);
  });

  test("has texts of the API set as the rest of the pages is, with no word of English left", () => {
    const isBadlySet = ({ own }: Translation): boolean =>
      /"|\.\.\.|\d %|\d\.\d(?!\d{2})/.test(own.replaceAll(DOTTED_NAMES, "").replaceAll(/\[\{[^\]]*\}\]/g, ""));
    expect(listBroken(isBadlySet)).toEqual([]);
    expect(listBroken(({ own }) => ENGLISH.test(own.replaceAll(CODES, "")))).toEqual([]);
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
