import { describe, expect, test } from "bun:test";
import { createPack, type FactDraft, type FactsPack, type NumberLocale, type SentenceBlock } from "./facts.ts";
import { createGuard } from "./guard.ts";
import { createSentences, type SentenceWriter } from "./sentences.ts";

const FROM = { from: "market-brief", as_of: "2026-11-20" };
const N1 = {
  id: "N1",
  title: "Regulators weigh new rules for stablecoin issuers in 2027",
  domain: "example.org",
  url: "https://example.org/a",
  published_at: "2026-11-20",
  excerpt: null,
  suspicious: false,
};

/** A pack of random figures, so far apart that an edit cannot turn one into another. */
function makePack(random: () => number): FactsPack {
  const signed = (low: number, high: number) => (random() < 0.5 ? -1 : 1) * (low + random() * (high - low));
  const drafts: readonly FactDraft[] = [
    { ...FROM, name: "btc", label: "BTC price", unit: "usd", value: 40_000 + random() * 50_000, about: "BTC" },
    { ...FROM, name: "eth", label: "ETH price", unit: "usd", value: 2_000 + random() * 3_000, about: "ETH" },
    ...(["BTC", "ETH"] as const).flatMap((about, index): readonly FactDraft[] => [
      {
        ...FROM,
        name: `${about}_1d`,
        label: `${about} change, 24h`,
        unit: "pct",
        kind: "change",
        about,
        value: signed(1 + 4 * index, 4 + 4 * index),
        window: "24h",
      },
      {
        ...FROM,
        name: `${about}_7d`,
        label: `${about} change, 7d`,
        unit: "pct",
        kind: "change",
        about,
        value: signed(11 + 6 * index, 15 + 6 * index),
        window: "7d",
      },
    ]),
    { ...FROM, name: "index", label: "Fear and greed index", unit: "index", value: 20 + Math.floor(random() * 9) },
    { ...FROM, name: "volume", label: "volume", unit: "usd", value: (1 + random() * 8) * 1e9 },
    { ...FROM, name: "selic", label: "Selic target", unit: "pct", value: 33 + random() * 6, about: "Selic" },
    { ...FROM, name: "cpi", label: "CPI", unit: "pct", value: 23 + random() * 6, about: "CPI" },
    { ...FROM, name: "slope", label: "slope, 2 to 10 years", unit: "bps", value: 41 + random() * 40 },
    {
      ...FROM,
      name: "gap",
      label: "gap to target",
      unit: "pp",
      value: signed(0.5, 0.95),
      kind: "change",
      about: "CPI",
    },
    { ...FROM, name: "n", label: "coins above their average", unit: "count", value: 51 + Math.floor(random() * 9) },
    { ...FROM, name: "rank", label: "rank in a year", unit: "rank", value: 61 + Math.floor(random() * 9) },
  ];
  const builder = createPack({
    dates: ["2026-11-20", "2026-12-09"],
    identifiers: ["S&P 500"],
    windows: ["24h", "7d", "50d", "12m"],
    subjects: { BTC: ["Bitcoin"], ETH: ["Ether", "Ethereum"], Selic: [], CPI: [] },
    texts: [N1],
  });
  builder.addAll(drafts);
  return builder.build();
}

type Write = (write: SentenceWriter) => void;
const rose = (write: SentenceWriter, name: string) => write.bySign(name, ["rose", "fell"]);
const subiu = (write: SentenceWriter, name: string) => write.bySign(name, ["subiu", "caiu"]);
const plain = { unsigned: true } as const;

/** True sentences in the wordings that models and trading desks use. */
const WORDINGS: Readonly<Record<NumberLocale, readonly Write[]>> = {
  en: [
    (w) => w.say`Bitcoin trades at ${w.show("btc")} and ${rose(w, "BTC_1d")} ${w.show("BTC_1d", plain)} in 24h.`,
    (w) =>
      w.say`BTC ${rose(w, "BTC_1d")} ${w.show("BTC_1d", plain)} over 24 hours, while ETH ${rose(w, "ETH_1d")}
        ${w.show("ETH_1d", plain)}.`,
    (w) => w.say`Ether is at ${w.show("eth")}; its change over 7 days is ${w.show("ETH_7d")}.`,
    (w) => w.say`A 24h change of ${w.show("BTC_1d")} puts Bitcoin at ${w.show("btc", { large: true })}.`,
    (w) => w.say`Over 7d, Ethereum ${rose(w, "ETH_7d")} by ${w.show("ETH_7d", { unsigned: true, decimals: 1 })}.`,
    (w) => w.say`The index reads ${w.show("index")} as of 2026-11-20.`,
    (w) => w.say`On Friday, 20 November 2026, volume was ${w.show("volume")}.`,
    (w) => w.say`Selic stands at ${w.show("selic")}, which is above the CPI of ${w.show("cpi")}.`,
    (w) => w.say`The CPI at ${w.show("cpi")} is lower than the Selic at ${w.show("selic", { decimals: 1 })}.`,
    (w) =>
      w.say`The slope is ${w.show("slope", { decimals: 0 })}, and ${w.show("n")} coins are above their 50-day
        average.`,
    (w) => w.say`CPI runs ${w.show("gap", plain)} ${w.bySign("gap", ["above", "below"])} the target in December.`,
    (w) => w.say`It ranks ${w.show("rank")} of the year, next to the S&P 500.`,
    (w) => w.say`${w.quote("N1")}, while the index reads ${w.show("index")}.`,
    (w) =>
      w.say`Markets remain cautious: the fear and greed index sits at ${w.show("index")}, and volume reached
        ${w.show("volume", { decimals: 1 })}.`,
    (w) =>
      w.say`After ${w.bySign("BTC_1d", ["gaining", "losing"])}
        ${w.show("BTC_1d", { unsigned: true, decimals: 1 })} in 24 hours, Bitcoin changes hands near
        ${w.show("btc", { decimals: 0 })}.`,
    (w) =>
      w.say`Traders paid ${w.show("eth", { decimals: 0 })} for Ether, whose 7-day change stands at
        ${w.show("ETH_7d", { decimals: 1 })}.`,
    (w) =>
      w.say`With the Selic at ${w.show("selic", { decimals: 1 })}, Brazil's real rate stays positive; the slope
        measures ${w.show("slope", { decimals: 0 })}.`,
    (w) => w.say`Breadth is broad, with ${w.show("n")} coins above their 50-day average on November 20.`,
    (w) =>
      w.say`Bitcoin, at ${w.show("btc", { decimals: 0 })}, has ${w.bySign("BTC_7d", ["gained", "lost"])}
        ${w.show("BTC_7d", plain)} in 7 days.`,
  ],
  "pt-BR": [
    (w) => w.say`O Bitcoin está em ${w.show("btc")} e ${subiu(w, "BTC_1d")} ${w.show("BTC_1d", plain)} em 24h.`,
    (w) =>
      w.say`O BTC ${subiu(w, "BTC_1d")} ${w.show("BTC_1d", plain)} em 24 horas, enquanto o ETH
        ${subiu(w, "ETH_1d")} ${w.show("ETH_1d", plain)}.`,
    (w) => w.say`Em 7 dias, a variação do Ethereum foi de ${w.show("ETH_7d")}.`,
    (w) => w.say`O índice marca ${w.show("index")} em 20/11/2026.`,
    (w) => w.say`Na sexta-feira, 20 de novembro de 2026, o volume foi de ${w.show("volume")}.`,
    (w) => w.say`A Selic está em ${w.show("selic")}, acima do CPI de ${w.show("cpi")}.`,
    (w) =>
      w.say`A inclinação é de ${w.show("slope", { decimals: 1 })}, e ${w.show("n")} moedas estão acima da média
        de 50 dias.`,
    (w) => w.say`O CPI fica ${w.show("gap", plain)} ${w.bySign("gap", ["acima", "abaixo"])} da meta em 12 meses.`,
    (w) => w.say`O volume soma ${w.show("volume", { decimals: 1 })} e o índice marca ${w.show("index")} em
      dezembro.`,
    (w) =>
      w.say`Os mercados seguem cautelosos: o índice de medo e ganância está em ${w.show("index")}, e o volume
        chegou a ${w.show("volume")}.`,
    (w) =>
      w.say`Depois de ${w.bySign("ETH_1d", ["alta", "queda"])} de ${w.show("ETH_1d", plain)} em 24h, o Ether é
        negociado a ${w.show("eth", { decimals: 0 })}.`,
    (w) => w.say`Com a Selic em ${w.show("selic")}, o Copom decide em 9 de dezembro de 2026.`,
    (w) =>
      w.say`Com ${w.bySign("BTC_7d", ["alta", "queda"])} de ${w.show("BTC_7d", plain)} em 7 dias, o Bitcoin
        vale ${w.show("btc", { large: true })}.`,
  ],
};

type Edit = readonly [name: string, edit: (text: string, random: () => number, locale: NumberLocale) => string];

const swap = (pairs: readonly (readonly [string, string])[]) => (text: string) => {
  for (const [one, two] of pairs) {
    const found = new RegExp(`(?<![\\p{L}])(?:${one}|${two})(?![\\p{L}])`, "u").exec(text);
    if (found) return text.replace(found[0], found[0] === one ? two : one);
  }
  return text;
};
const FIGURE =
  /(?<![\p{L}\d./:-])\d[\d.,]*(?![\d\p{L}/:]|-\p{L}| (?:h|d|days|dias|hours|horas|months|meses|November|de nov))/gu;
/** Changes one figure of a text. */
const figure = (change: (digits: string, random: () => number) => string) => (text: string, random: () => number) => {
  const unquoted = text.split('"')[text.includes('"') ? 2 : 0] ?? "";
  const start = text.length - unquoted.length;
  const all = [...unquoted.matchAll(FIGURE)].filter(([one]) => !/^(?:2026|500)$/.test(one.replace(/[.,]$/, "")));
  const one = all[Math.floor(random() * all.length)];
  if (!one) return text;
  const digits = one[0].replace(/[.,]+$/, "");
  const at = start + one.index;
  return text.slice(0, at) + change(digits, random) + text.slice(at + digits.length);
};

/** Each edit makes a true sentence false by one change. */
const EDITS: readonly Edit[] = [
  ["first digit", figure((one) => `${(Number(one[0]) % 9) + 1}${one.slice(1)}`)],
  ["a digit more", figure((one) => `${one}7`)],
  ["transposed", figure((one) => (/^(\d)(?!\1)\d/.test(one) ? `${one[1]}${one[0]}${one.slice(2)}` : `9${one}`))],
  ["last digit", figure((one) => `${one.slice(0, -1)}${(Number(one.at(-1)) + 3) % 10}`)],
  [
    "direction",
    swap([
      ["rose", "fell"],
      ["gained", "lost"],
      ["subiu", "caiu"],
      ["alta", "queda"],
    ]),
  ],
  [
    "above and below",
    swap([
      ["above the target", "below the target"],
      ["acima da meta", "abaixo da meta"],
      ["above the CPI", "below the CPI"],
      ["lower than", "higher than"],
      ["acima do", "abaixo do"],
    ]),
  ],
  [
    "subject",
    swap([
      ["Bitcoin", "Ethereum"],
      ["BTC", "ETH"],
      ["Selic", "CPI"],
      ["Ether", "Bitcoin"],
    ]),
  ],
  ["currency", (text) => (text.includes("US$") ? text.replace("US$", "R$") : text.replace("$", "€"))],
  [
    "unit",
    (text, _random, locale) =>
      text
        .replace("%", locale === "en" ? " percentage points" : " p.p.")
        .replace(text.includes("%") ? "\u0000" : /basis points|pontos-base/, "%"),
  ],
  [
    "scale",
    swap([
      ["billion", "million"],
      ["bilhão", "milhão"],
      ["bilhões", "milhões"],
      ["thousand", "million"],
      ["mil", "milhões"],
    ]),
  ],
  [
    "minus",
    (text) =>
      / -(?=\d)/.test(text) ? text.replace(/ -(?=\d)/, " ") : text.replace(/(?<= (?:is|foi de) )(?=\d+[.,]\d+%)/, "-"),
  ],
  [
    "window",
    (text) =>
      text
        .replace(/24h|24 hours|24 horas/, "7d")
        .replace(/(?<!\d)7 (days|dias)/, "24 hours")
        .replace("Over 7d", "Over 24h"),
  ],
  ["window unknown", (text) => text.replace(/50-day|50 dias/, "200-day").replace("12 meses", "24 meses")],
  [
    "date",
    (text) =>
      text
        .replace("2026-11-20", "2026-11-19")
        .replace("20/11/2026", "21/11/2026")
        .replace("20 November", "21 November")
        .replace("20 de novembro", "20 de outubro"),
  ],
  [
    "month",
    swap([
      ["December", "March"],
      ["dezembro", "janeiro"],
    ]),
  ],
  [
    "weekday",
    swap([
      ["Friday", "Monday"],
      ["sexta-feira", "terça-feira"],
    ]),
  ],
  ["name", (text) => text.replace(/^(The index|It|Ether|O índice|O volume)/, "Blackrock")],
  ["identifier", (text) => text.replace("S&P 500", "FTSE 100")],
  [
    "quotation",
    (text) => text.replace("weigh new rules", "reject new rules").replace('example.org: "', 'another.org: "'),
  ],
  ["invented end", (text, random) => text.replace(/\.$/, `, with ${Math.floor(71 + random() * 8)}% odds.`)],
  ["record", (text, _random, locale) => text.replace(/\.$/, locale === "en" ? ", a record high." : ", um recorde.")],
  [
    "spelled",
    (text, _random, locale) =>
      text.replace(/\.$/, locale === "en" ? ", nearly ten percent more." : ", quase dez por cento."),
  ],
  [
    "multiple",
    (text, _random, locale) =>
      text.replace(/\.$/, locale === "en" ? ", and interest doubled." : ", e o interesse dobrou."),
  ],
  [
    "cause",
    (text, _random, locale) =>
      text.includes('"') ? text : text.replace(/\.$/, locale === "en" ? " because of flows." : " por causa de fluxos."),
  ],
  [
    "advice",
    (text, _random, locale) => (locale === "en" ? `${text} You should hold.` : `${text} Recomendamos manter.`),
  ],
];

interface Case {
  readonly block: SentenceBlock;
  readonly pack: FactsPack;
  readonly locale: NumberLocale;
  readonly edit: string | null;
}

/** Half true, half false by one edit, from a fixed seed. */
function makeCorpus(size: number): readonly Case[] {
  // Park and Miller's generator (1988): the same corpus in every run.
  let state = 20_261_122;
  const random = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  const cases: Case[] = [];
  let turn = 0;
  while (cases.length < size) {
    const locale: NumberLocale = turn % 5 < 3 ? "en" : "pt-BR";
    const pack = makePack(random);
    const write = createSentences(pack, locale);
    const wordings = WORDINGS[locale];
    wordings[turn % wordings.length]?.(write);
    turn += 1;
    const block = write.block("b");
    if (!block) throw new Error(`wording ${turn} says nothing`);
    cases.push({ block, pack, locale, edit: null });
    const edited = EDITS.map(([name, edit]) => ({ name, text: edit(block.text, random, locale) }));
    const fitting = edited.filter(({ text }) => text !== block.text);
    const one = fitting[Math.floor(random() * fitting.length)];
    if (one) cases.push({ block: { ...block, text: one.text }, pack, locale, edit: one.name });
  }
  return cases.slice(0, size);
}

describe("2,400 sentences, half of them false by one edit", () => {
  const corpus = makeCorpus(2_400);
  const judged = corpus.map((one) => ({
    ...one,
    faults: createGuard(one.pack, one.locale).check(one.block, { by_model: true }),
  }));

  test("at most 1 % of the false ones are accepted", () => {
    const wrong = judged.filter(({ edit }) => edit !== null);
    const accepted = wrong.filter(({ faults }) => faults.length === 0);
    expect(wrong.length).toBeGreaterThanOrEqual(1_000);
    const shown = accepted.slice(0, 20).map(({ edit, block }) => `${edit}: ${block.text}`);
    expect({ shown, is_within: accepted.length <= 0.01 * wrong.length }).toEqual({ shown, is_within: true });
  });

  test("at most 5 % of the true ones are refused", () => {
    const right = judged.filter(({ edit }) => edit === null);
    const refused = right.filter(({ faults }) => faults.length > 0);
    expect(right.length).toBeGreaterThanOrEqual(1_000);
    const shown = refused.slice(0, 20).map(({ block, faults }) => `${block.text} ${JSON.stringify(faults)}`);
    expect({ shown, is_within: refused.length <= 0.05 * right.length }).toEqual({ shown, is_within: true });
  });

  test("the corpus has every kind of edit", () => {
    const made = new Set(judged.map(({ edit }) => edit));
    expect(EDITS.map(([name]) => name).filter((name) => !made.has(name))).toEqual([]);
  });
});
