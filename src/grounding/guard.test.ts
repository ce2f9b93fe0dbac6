import { describe, expect, test } from "bun:test";
import { createPack, type FactsPack, type NumberLocale, type SentenceBlock } from "./facts.ts";
import { createGuard } from "./guard.ts";

const FROM = { from: "market-brief", as_of: "2026-11-20" };
const builder = createPack({
  dates: ["2026-11-20"],
  identifiers: ["S&P 500", "DI1F27"],
  windows: ["24h", "7d"],
  subjects: { BTC: ["Bitcoin"], PTAX: [] },
  texts: [
    {
      id: "N1",
      title: "Ollama raises $120 million, adds 2.5% fee",
      url: "https://example.org/a",
      domain: "example.org",
      published_at: null,
      excerpt: null,
      suspicious: false,
    },
    {
      id: "N2",
      title: "ETF outflows mount as Bitcoin slides under $64,000",
      url: "https://decrypt.co/b",
      domain: "decrypt.co",
      published_at: null,
      excerpt: null,
      suspicious: false,
    },
  ],
});
builder.addAll([
  { ...FROM, name: "price", label: "BTC price", value: 64210.55, unit: "usd", about: "BTC" },
  { ...FROM, name: "change", label: "change, 24h", value: -3.248, unit: "pct", kind: "change", window: "24h" },
  { ...FROM, name: "index", label: "Fear and greed index", value: 14, unit: "index" },
  { ...FROM, name: "fee", label: "fee", value: 0.0375, unit: "ratio" },
  { ...FROM, name: "volume", label: "volume", value: 1873000000, unit: "usd" },
  { ...FROM, name: "selic", label: "Selic target", value: 13.75, unit: "pct" },
  { ...FROM, name: "slope", label: "slope", value: 45.7, unit: "bps" },
]);
const PACK = builder.build();

const check = (text: string, cites = "", locale: NumberLocale = "en", pack: FactsPack = PACK): readonly string[] => {
  const ids = cites.split(" ").filter((id) => id !== "");
  const block: SentenceBlock = {
    id: "b",
    text,
    facts: ids.filter((id) => id.startsWith("F")),
    sources: ids.filter((id) => id.startsWith("N")),
  };
  return createGuard(pack, locale)
    .check(block)
    .map(({ rule }) => rule);
};

describe("extremes, names and comparisons (issue 30)", () => {
  test.each([
    ["BTC trades at $64,211, at an all-time high.", "unfounded_extreme"],
    ["BTC trades at $64,211, a fresh 52-week high.", "unfounded_extreme"],
    ["BTC trades at $64,211, the priciest of all.", "unfounded_extreme"],
    ["BTC trades at $64,211 for the first time.", "unfounded_extreme"],
    ["BTC está em $64,211, a melhor marca de todos os tempos.", "unfounded_extreme"],
    ["Blackrock: BTC trades at $64,211.", "unknown_name"],
    ["Vale caiu 3.2%.", "unknown_name"],
    ["Boeing trades at $64,211.", "unknown_name"],
  ])("%s is refused: %s", (text, rule) => {
    expect(check(text, "F1 F2")).toContain(rule);
  });

  test.each([
    ["Nesta edição, o BTC está em US$ 64.211.", "pt-BR"],
    ["Resumo: Neste momento, a Selic está em 13,75%.", "pt-BR"],
    ["Vale notar que o BTC está em US$ 64.211.", "pt-BR"],
    ["Interest in BTC is modest at $64,211.", "en"],
  ] as const)("%s is accepted", (text, locale) => {
    expect(check(text, "F1 F6", locale)).toEqual([]);
  });

  test("an extreme is allowed when the label of its fact states it", () => {
    const own = createPack({ dates: [], identifiers: [], windows: ["52w"], subjects: { BTC: [] }, texts: [] });
    own.addAll([{ ...FROM, name: "high", label: "BTC high, 52w", value: 64210.55, unit: "usd", about: "BTC" }]);
    expect(check("BTC set a 52-week high of $64,211.", "F1", "en", own.build())).toEqual([]);
  });

  test("a comparison of two subjects uses the figures of each, and changes with their signs", () => {
    const own = createPack({ dates: [], identifiers: [], windows: ["24h"], subjects: { BTC: [], SOL: [] }, texts: [] });
    own.addAll([
      { ...FROM, name: "a", label: "BTC price", value: 64210.5, unit: "usd", about: "BTC" },
      { ...FROM, name: "b", label: "SOL price", value: 150.2, unit: "usd", about: "SOL" },
      { ...FROM, name: "c", label: "BTC change, 24h", value: -3.2, unit: "pct", kind: "change", about: "BTC" },
      { ...FROM, name: "d", label: "SOL change, 24h", value: -5.4, unit: "pct", kind: "change", about: "SOL" },
    ]);
    const pack = own.build();
    const of = (text: string) => check(text, "F1 F2 F3 F4", "en", pack);
    expect(of("BTC price of $64,210.50 is above SOL price of $150.20.")).toEqual([]);
    expect(of("BTC at $64,211 is above the $150.20 of SOL.")).toEqual([]);
    expect(of("BTC change of -3.2% is above SOL change of -5.4%.")).toEqual([]);
    expect(of("SOL price of $150.20 is above BTC price of $64,211.")).toEqual(["wrong_comparison"]);
    expect(of("SOL change of -5.4% is above BTC change of -3.2%.")).toEqual(["wrong_comparison"]);
    expect(of("BTC at $64,211 is above the $150.20 of BTC.")).toEqual(["wrong_subject"]);
  });
});

describe("the guard accepts a text that keeps to its facts", () => {
  test.each([
    ["BTC trades at $64,211 and fell 3.2% in 24h.", "F1 F2", "en"],
    ["BTC trades near $64.2k.", "F1", "en"],
    ["Price is 64,210.6.", "F1", "en"],
    ["Price is 64,210.5.", "F1", "en"],
    ["24h change: -3.25%.", "F2", "en"],
    ["Volume was $1.87 billion.", "F5", "en"],
    ["Volume was $1.9bn, and the index reads 14.", "F5 F3", "en"],
    ["Fee is 3.75%.", "F4", "en"],
    ["Fee is 4%.", "F4", "en"],
    ["A Selic está em 13,75% e o volume foi de US$ 1,87 bilhões.", "F6 F5", "pt-BR"],
    ["A PTAX caiu 3,2% em 24h.", "F2", "pt-BR"],
    ["The slope is 46 bps or 0.46 pp.", "F7", "en"],
    ["As of 2026-11-20 the S&P 500 is mixed in 2026.", "", "en"],
    ["On Friday, 20 November 2026, the index read 14.", "F3", "en"],
    ["Na sexta-feira, 20 de novembro de 2026, o índice marcou 14.", "F3", "pt-BR"],
    ["The change, over the week, was down by 3.2%.", "F2", "en"],
    ['decrypt.co reports "ETF outflows mount as Bitcoin slides".', "N2", "en"],
    ["Bitcoin fell, per Decrypt.", "F2", "en"],
    ["The value of 64,211 dollars stands.", "F1", "en"],
  ] as const)("%s", (text, cites, locale) => {
    expect(check(text, cites, locale)).toEqual([]);
  });
});

describe("the guard finds what goes beyond the facts", () => {
  test.each([
    ["BTC trades at $64,200.", "F1", "not_in_facts"],
    ["BTC trades at €64,211.", "F1", "not_in_facts"],
    ["BTC trades at 64,211 euros.", "F1", "not_in_facts"],
    ["BTC rose 3.2%.", "F2", "direction_mismatch"],
    ["BTC did not fall 3.2%.", "F2", "direction_mismatch"],
    ["A change of 3.2%.", "F2", "missing_sign"],
    ["Selic is 13.75%.", "F1", "wrong_citation"],
    ["It may gain ten percent.", "", "spelled_number"],
    ["Index at fourteen.", "F3", "spelled_number"],
    ["As of 2026-11-19 flat.", "", "unknown_date"],
    ["On Thursday the index read 14.", "F3", "unknown_date"],
    ["Expect 70% odds of a cut.", "", "not_in_facts"],
    ["Ollama raised $120 million.", "N1", "not_in_facts"],
    ["Ollama raised $125 million.", "N1", "not_in_facts"],
    ["From 13.7–13.8%.", "F6", "not_in_facts"],
    ["The index reads 14.", "F3 F9", "unknown_fact"],
    ["Bitcoin fell after BlackRock sold.", "F2", "unknown_name"],
    ["Markets fear what Powell may say.", "", "unknown_name"],
    ["Powell fears the index at 14.", "F3", "unknown_name"],
    ["SEC delays weigh on BTC.", "", "unknown_name"],
    ['decrypt.co says "this is the end of the cycle".', "N2", "unknown_quote"],
    ['They say "ETF outflows mount as Bitcoin slides".', "N2", "unknown_quote"],
    ["The volume halved.", "F5", "quantity_word"],
    ["A third of holders left.", "F1", "quantity_word"],
    ["The price is at a record high.", "F1", "unfounded_extreme"],
    ["O volume dobrou.", "F5", "quantity_word"],
    ["You should hold at $64,211.", "F1", "advice"],
    ["Buy BTC at $64,211.", "F1", "advice"],
    ["BTC fell 3.2% because of outflows.", "F2", "uncited_cause"],
    ["See https://evil.test for $64,211.", "F1", "form"],
    ["See evil.test for $64,211.", "F1", "form"],
    ["BTC fell 3.2% in 7d.", "F2", "wrong_window"],
    ["The slope is 0.46%.", "F7", "not_in_facts"],
    ["The 2nd index reads 14.", "F3", "not_in_facts"],
    ["The PTAX trades at $64,211.", "F1", "wrong_subject"],
    ["The fee of 13.75% is above 13.75%, or 14.", "F6 F3", "wrong_comparison"],
    ["BTC rallied.", "F2", "direction_mismatch"],
  ] as const)("%s", (text, cites, rule) => {
    expect(check(text, cites, text.startsWith("O volume") ? "pt-BR" : "en")).toContain(rule);
  });

  test("a figure never rounds a fact away", () => {
    const one = (value: number) => {
      const pack = createPack();
      pack.add({ ...FROM, name: "x", label: "x", value, unit: "pct" });
      return pack.build();
    };
    expect(check("Flat at 0.0%.", "F1", "en", one(0.04))).toEqual(["not_in_facts"]);
    expect(check("At 0%.", "F1", "en", one(0))).toEqual([]);
  });

  test("a text in the other language is refused", () => {
    const text =
      "O índice marcou 14 na média das bolsas do país, em que os juros de mercado foram a base para uma alta.";
    expect(check(text, "F3")).toContain("wrong_language");
  });
});
