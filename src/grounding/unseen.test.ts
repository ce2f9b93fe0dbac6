import { describe, expect, test } from "bun:test";
import { createPack, type FactsPack, type NumberLocale } from "./facts.ts";
import { createGuard } from "./guard.ts";

/**
 * A second corpus, in wordings that the authors of the guard's rules had not seen. True sentences are rendered from a
 * world; false ones from a world that lies about one thing in the sentence, or with a claim added. The pack is always
 * that of the true world. Limits: at most 1 % of the false ones accepted, at most 3 % of the true ones refused.
 */
interface World {
  readonly btc: number;
  readonly eth: number;
  readonly sol: number;
  readonly btc_1d: number;
  readonly eth_1d: number;
  readonly sol_7d: number;
  readonly fear: number;
  readonly selic: number;
  readonly ipca: number;
  readonly ptax: number;
  readonly di: number;
  readonly slope: number;
  readonly share: number;
  readonly above: number;
}
type Fact = keyof World;
const CHANGES: readonly Fact[] = ["btc_1d", "eth_1d", "sol_7d"];

function makeWorld(random: () => number): World {
  const between = (low: number, high: number) => low + random() * (high - low);
  const signed = (low: number, high: number) => (random() < 0.5 ? -1 : 1) * between(low, high);
  return {
    btc: between(51_000, 96_000),
    eth: between(2_100, 4_800),
    sol: between(110, 240),
    btc_1d: signed(1.1, 2.9),
    eth_1d: signed(3.6, 5.9),
    sol_7d: signed(7.2, 11.8),
    fear: Math.floor(between(12, 39)),
    selic: between(14.1, 15.4),
    ipca: between(4.1, 6.4),
    ptax: between(5.1, 5.9),
    di: between(12.1, 13.4),
    slope: Math.floor(between(61, 98)),
    share: between(52, 58),
    above: Math.floor(between(101, 140)),
  };
}

function makePack(w: World): FactsPack {
  const from = { from: "market-brief", as_of: "2026-11-20" };
  const builder = createPack({
    dates: ["2026-11-20", "2026-12-09"],
    identifiers: [],
    windows: ["24h", "7d", "12m"],
    subjects: { BTC: ["Bitcoin"], ETH: ["Ether", "Ethereum"], SOL: ["Solana"], Selic: [], IPCA: [], PTAX: [], DI: [] },
    texts: [],
  });
  const change = (name: Fact, about: string, window: string) => ({
    ...({ ...from, name, label: `${about} change, ${window}`, unit: "pct", kind: "change", about, window } as const),
    value: w[name],
  });
  builder.addAll([
    { ...from, name: "btc", label: "BTC price", unit: "usd", value: w.btc, about: "BTC" },
    { ...from, name: "eth", label: "ETH price", unit: "usd", value: w.eth, about: "ETH" },
    { ...from, name: "sol", label: "SOL price", unit: "usd", value: w.sol, about: "SOL" },
    change("btc_1d", "BTC", "24h"),
    change("eth_1d", "ETH", "24h"),
    change("sol_7d", "SOL", "7d"),
    { ...from, name: "fear", label: "Fear and greed index", unit: "index", value: w.fear },
    { ...from, name: "selic", label: "Selic target", unit: "pct", value: w.selic, about: "Selic" },
    { ...from, name: "ipca", label: "IPCA, 12 months", unit: "pct", value: w.ipca, about: "IPCA", window: "12m" },
    { ...from, name: "ptax", label: "PTAX, reais per dollar", unit: "brl", value: w.ptax, about: "PTAX" },
    { ...from, name: "di", label: "DI, one year", unit: "pct", value: w.di, about: "DI" },
    { ...from, name: "slope", label: "slope of the curve", unit: "bps", value: w.slope },
    { ...from, name: "share", label: "BTC dominance", unit: "pct", value: w.share, about: "BTC" },
    { ...from, name: "above", label: "coins above their average", unit: "count", value: w.above },
  ]);
  return builder.build();
}

const group = (whole: string, mark: string) => whole.replace(/\B(?=(\d{3})+$)/g, mark);
const write = (value: number, decimals: number, [point, mark]: readonly [string, string]): string => {
  const [whole = "", rest] = Math.abs(value).toFixed(decimals).split(".");
  return group(whole, mark) + (rest === undefined ? "" : point + rest);
};
const en = (value: number, decimals = 0) => write(value, decimals, [".", ","]);
const pt = (value: number, decimals = 0) => write(value, decimals, [",", "."]);
const by = (value: number, up: string, down: string) => (value > 0 ? up : down);
const minus = (value: number) => (value < 0 ? "-" : "");

type Wording = (w: World) => string;
const ENGLISH: readonly Wording[] = [
  (w) => `Right now one Bitcoin costs $${en(w.btc)}.`,
  (w) =>
    `Priced at $${en(w.eth, 2)}, Ether ${by(w.eth_1d, "added", "shed")} ${en(w.eth_1d, 1)}% over the past 24 hours.`,
  (w) => `BTC price of $${en(w.btc)} is above SOL price of $${en(w.sol, 2)}.`,
  (w) => `SOL price of $${en(w.sol, 1)} is below ETH price of $${en(w.eth)}.`,
  (w) => `At $${en(w.btc)}, Bitcoin is higher than the $${en(w.eth)} of Ether.`,
  (w) => `Solana moved ${minus(w.sol_7d)}${en(w.sol_7d, 1)}% in 7 days.`,
  (w) => `Sentiment is fearful: the index reads ${w.fear}.`,
  (w) => `Greed is absent, with the fear and greed index printing ${w.fear} on 20 November 2026.`,
  (w) => `Brazil's Selic target of ${en(w.selic, 2)}% exceeds the IPCA of ${en(w.ipca, 2)}%.`,
  (w) => `The IPCA ran at ${en(w.ipca, 1)}% over 12 months, lower than the DI at ${en(w.di, 1)}%.`,
  (w) => `One dollar bought R$${en(w.ptax, 4)} at the PTAX.`,
  (w) => `The slope measures ${w.slope} basis points.`,
  (w) => `Dominance stands near ${en(w.share, 1)}%.`,
  (w) => `Some ${w.above} coins trade over their average.`,
  (w) => `In 24 hours BTC ${by(w.btc_1d, "climbed", "slipped")} ${en(w.btc_1d, 2)}% and ETH
    ${by(w.eth_1d, "climbed", "slipped")} ${en(w.eth_1d, 2)}%.`,
  (w) => `ETH's change of ${minus(w.eth_1d)}${en(w.eth_1d, 1)}% is ${by(w.eth_1d - w.btc_1d, "above", "below")} BTC's
    ${minus(w.btc_1d)}${en(w.btc_1d, 1)}%.`,
  (w) => `Meanwhile, Ethereum quotes at $${en(w.eth)}.`,
  (w) => `Elsewhere, the DI for one year sits at ${en(w.di, 2)}% ahead of December.`,
  (w) => `Measured by PTAX, the dollar is worth R$ ${en(w.ptax, 2)}.`,
  (w) => `Policy is tight, as the Selic sits at ${en(w.selic, 2)}%.`,
  (w) => `Copom decides on 9 December 2026 with the Selic at ${en(w.selic, 1)}%.`,
  (w) => `Having ${by(w.sol_7d, "gained", "lost")} ${en(w.sol_7d, 1)}% in 7 days, Solana trades at $${en(w.sol, 2)}.`,
  (w) => `Both prices are out: $${en(w.btc)} for Bitcoin, $${en(w.eth)} for Ether.`,
  (w) => `Friday's fix of the PTAX was R$ ${en(w.ptax, 4)}.`,
  (w) => `Unlike prices, mood barely shifts; the index is at ${w.fear}.`,
];
const PORTUGUESE: readonly Wording[] = [
  (w) => `Nesta edição, o Bitcoin aparece a US$ ${pt(w.btc)}.`,
  (w) => `Neste momento, o Ether vale US$ ${pt(w.eth, 2)}.`,
  (w) => `Vale notar que o Ethereum ${by(w.eth_1d, "subiu", "caiu")} ${pt(w.eth_1d, 1)}% em 24 horas.`,
  (w) => `Segue em ${pt(w.selic, 2)}% a Selic.`,
  (w) => `Pela PTAX, o dólar custa R$ ${pt(w.ptax, 4)}.`,
  (w) => `Nessa leitura, o índice de medo e ganância marca ${w.fear}.`,
  (w) => `Atualmente, ${w.above} moedas operam acima da média.`,
  (w) => `Dominância do BTC: ${pt(w.share, 1)}%.`,
  (w) => `O preço do BTC de US$ ${pt(w.btc)} está acima do preço do SOL de US$ ${pt(w.sol, 2)}.`,
  (w) => `A Selic de ${pt(w.selic, 2)}% supera o IPCA de ${pt(w.ipca, 2)}%.`,
  (w) => `Em 12 meses, o IPCA ficou em ${pt(w.ipca, 2)}%, abaixo do DI de ${pt(w.di, 2)}%.`,
  (w) => `Quanto à Solana, a variação em 7 dias foi de ${minus(w.sol_7d)}${pt(w.sol_7d, 1)}%.`,
  (w) => `Já o DI está em ${pt(w.di, 2)}%.`,
  (w) => `Dessa forma, a inclinação da curva chega a ${w.slope} pontos-base.`,
  (w) => `Resta o câmbio: a PTAX ficou em R$ ${pt(w.ptax, 2)}.`,
  (w) => `Houve ${by(w.btc_1d, "alta", "queda")} de ${pt(w.btc_1d, 1)}% no Bitcoin em 24h.`,
  (w) => `Fechou em US$ ${pt(w.sol, 2)} a Solana.`,
  (w) => `Naquele dia, 20 de novembro de 2026, o índice marcava ${w.fear}.`,
  (w) => `Mesmo assim, o Bitcoin ${by(w.btc_1d, "ganhou", "perdeu")} ${pt(w.btc_1d, 2)}% em 24h.`,
  (w) => `Diante disso, o juro básico, a Selic, permanece em ${pt(w.selic, 1)}%.`,
  (w) => `Considerando 7 dias, a SOL ${by(w.sol_7d, "avançou", "recuou")} ${pt(w.sol_7d, 1)}%.`,
  (w) => `Dos ativos acompanhados, o ETH sai a US$ ${pt(w.eth)}.`,
  (w) => `Antes da reunião de 9 de dezembro, a Selic está em ${pt(w.selic, 2)}%.`,
  (w) => `Lá fora, o BTC negocia a US$ ${pt(w.btc)}; aqui, a PTAX marca R$ ${pt(w.ptax, 4)}.`,
  (w) => `Somando tudo, restam ${w.above} moedas acima da média.`,
];

/** Written after the guard had been tested with the sentences above, and not changed since. */
const ENGLISH_LATER: readonly Wording[] = [
  (w) => `Anyone buying Ether pays $${en(w.eth, 2)}.`,
  (w) => `Crowded trades aside, Bitcoin ${by(w.btc_1d, "rose", "fell")} ${en(w.btc_1d, 1)}% in 24h.`,
  (w) => `Set against the IPCA of ${en(w.ipca, 2)}%, the Selic of ${en(w.selic, 2)}% looks restrictive.`,
  (w) => `Compare $${en(w.btc)} for Bitcoin with $${en(w.sol, 2)} for Solana.`,
  (w) => `Little has changed: the Selic still stands at ${en(w.selic, 2)}%.`,
  (w) => `Breadth counts ${w.above} coins over their average.`,
  (w) => `Fear rules at ${w.fear} on the index.`,
  (w) => `Fixed income pays ${en(w.di, 2)}% by the DI.`,
  (w) => `Another look at Solana: ${minus(w.sol_7d)}${en(w.sol_7d, 2)}% in 7 days.`,
  (w) => `Importers pay R$${en(w.ptax, 4)} by the PTAX.`,
  (w) => `Across the curve, the slope comes to ${w.slope} basis points.`,
  (w) => `Not much moves: ETH at $${en(w.eth)}, BTC at $${en(w.btc)}.`,
  (w) => `Solana's price of $${en(w.sol, 2)} is lower than Ether's price of $${en(w.eth, 2)}.`,
  (w) => `Today's reading of ${w.fear} signals fear.`,
  (w) => `Borrowers face a DI of ${en(w.di, 2)}%, below the Selic of ${en(w.selic, 2)}%.`,
];
const PORTUGUESE_LATER: readonly Wording[] = [
  (w) => `Quem compra Ether paga US$ ${pt(w.eth, 2)}.`,
  (w) => `Perto do fim do pregão, a PTAX valia R$ ${pt(w.ptax, 4)}.`,
  (w) => `Pouco mudou: a Selic continua em ${pt(w.selic, 2)}%.`,
  (w) => `Investir pelo DI rende ${pt(w.di, 2)}%.`,
  (w) => `Predomina o medo, com o índice em ${w.fear}.`,
  (w) => `Outra vez o Bitcoin ${by(w.btc_1d, "subiu", "recuou")} ${pt(w.btc_1d, 1)}% em 24 horas.`,
  (w) => `Contamos ${w.above} moedas acima da média.`,
  (w) => `Importadores pagam R$ ${pt(w.ptax, 2)} pela PTAX.`,
  (w) => `Nas últimas 24 horas, o Ethereum ${by(w.eth_1d, "ganhou", "perdeu")} ${pt(w.eth_1d, 1)}%.`,
  (w) => `Daqui até 9 de dezembro, a Selic vale ${pt(w.selic, 2)}%.`,
  (w) => `Frente ao IPCA de ${pt(w.ipca, 2)}%, o juro do DI, de ${pt(w.di, 2)}%, é restritivo.`,
  (w) => `Compare: US$ ${pt(w.btc)} pelo Bitcoin, US$ ${pt(w.sol, 2)} pela Solana.`,
  (w) => `O preço da Solana, de US$ ${pt(w.sol, 2)}, é menor que o preço do Ether, de US$ ${pt(w.eth, 2)}.`,
  (w) => `Ninguém estranha: o índice marca ${w.fear}.`,
  (w) => `Curva: inclinação de ${w.slope} pontos-base.`,
];

/** Written later than the lists of common words. */
const ENGLISH_LAST: readonly Wording[] = [
  (w) => `Shoppers in Brazil meet an IPCA of ${en(w.ipca, 2)}%.`,
  (w) => `Yesterday's auction left the DI at ${en(w.di, 2)}%.`,
  (w) => `Halfway through the session, Ether costs $${en(w.eth)}.`,
  (w) => `Tellingly, the index prints ${w.fear}.`,
  (w) => `Bulls saw Solana ${by(w.sol_7d, "gain", "lose")} ${en(w.sol_7d, 1)}% in 7 days.`,
  (w) => `Against this backdrop Bitcoin trades around $${en(w.btc)}.`,
  (w) => `Zooming out, the slope totals ${w.slope} basis points.`,
  (w) => `Savers earn ${en(w.selic, 2)}% at the Selic.`,
  (w) => `Whoever sells Bitcoin receives $${en(w.btc)}.`,
  (w) => `Momentum remains with ${w.above} coins over their average.`,
  (w) => `Ether's $${en(w.eth)} is more than Solana's $${en(w.sol, 2)}.`,
  (w) => `Tourists change dollars for R$${en(w.ptax, 2)} by the PTAX.`,
];
const PORTUGUESE_LAST: readonly Wording[] = [
  (w) => `Turistas trocam o dólar a R$ ${pt(w.ptax, 2)} pela PTAX.`,
  (w) => `Passada a euforia, o índice mostra ${w.fear}.`,
  (w) => `Rende ${pt(w.selic, 2)}% a Selic.`,
  (w) => `Enfim, o Bitcoin custa US$ ${pt(w.btc)}.`,
  (w) => `Cabe lembrar que a Solana ${by(w.sol_7d, "valorizou", "perdeu")} ${pt(w.sol_7d, 1)}% em 7 dias.`,
  (w) => `Poupadores olham o DI de ${pt(w.di, 2)}%.`,
  (w) => `Contra o IPCA de ${pt(w.ipca, 2)}%, a Selic de ${pt(w.selic, 2)}% aperta.`,
  (w) => `Íngreme, a curva tem inclinação de ${w.slope} pontos-base.`,
  (w) => `Tudo somado, ${w.above} moedas estão acima da média.`,
  (w) => `Logo cedo, o Ether era vendido a US$ ${pt(w.eth, 2)}.`,
  (w) => `Bitcoin a US$ ${pt(w.btc)} custa mais do que Ether a US$ ${pt(w.eth)}.`,
  (w) => `Ainda que caro, o dinheiro custa ${pt(w.di, 2)}% no DI.`,
];

/** A last set, with sentence openings that no earlier set has. */
const ENGLISH_FRESH: readonly Wording[] = [
  (w) => `Curiously, Solana holds $${en(w.sol, 2)}.`,
  (w) => `Retirees live on a DI of ${en(w.di, 2)}%.`,
  (w) => `Patience pays: the Selic yields ${en(w.selic, 2)}%.`,
  (w) => `Underneath, ${w.above} coins are over their average.`,
  (w) => `Households see prices grow ${en(w.ipca, 2)}% in 12 months by the IPCA.`,
  (w) => `Sloping up, the curve spans ${w.slope} basis points.`,
  (w) => `Watching Ether, one sees ${by(w.eth_1d, "a gain", "a loss")} of ${en(w.eth_1d, 1)}% in 24h.`,
  (w) => `Pricey is Bitcoin at $${en(w.btc)}.`,
  (w) => `Mid-afternoon, Ether fetched $${en(w.eth, 2)}.`,
  (w) => `Anxiety shows in an index of ${w.fear}.`,
  (w) => `Across Brazil, the PTAX sets the dollar at R$${en(w.ptax, 4)}.`,
  (w) => `SOL at $${en(w.sol, 2)} stays below ETH at $${en(w.eth, 2)}.`,
];
const PORTUGUESE_FRESH: readonly Wording[] = [
  (w) => `Curiosamente, a Solana segura US$ ${pt(w.sol, 2)}.`,
  (w) => `Aposentados vivem de um DI de ${pt(w.di, 2)}%.`,
  (w) => `Paciência rende: a Selic paga ${pt(w.selic, 2)}%.`,
  (w) => `Famílias sentem o IPCA de ${pt(w.ipca, 2)}%.`,
  (w) => `Ansiosos, os mercados levam o índice a ${w.fear}.`,
  (w) => `Barato não é: o Bitcoin sai por US$ ${pt(w.btc)}.`,
  (w) => `Viajantes compram dólar a R$ ${pt(w.ptax, 2)} pela PTAX.`,
  (w) => `Lentamente, o Ether ${by(w.eth_1d, "subiu", "caiu")} ${pt(w.eth_1d, 1)}% em 24 horas.`,
  (w) => `Mede ${w.slope} pontos-base a inclinação da curva.`,
  (w) => `Solana a US$ ${pt(w.sol, 2)} fica abaixo do Ether a US$ ${pt(w.eth, 2)}.`,
  (w) => `Tamanha cautela aparece no índice, em ${w.fear}.`,
  (w) => `Daí que ${w.above} moedas estejam acima da média.`,
];

/** Claims that no pack supports, put before or after a sentence. */
const ADDED: Readonly<Record<NumberLocale, readonly (readonly [string, (text: string) => string])[]>> = {
  en: [
    ...[
      ...["at an all-time high", "a fresh yearly low", "the steepest level of the cycle", "the highest ever"],
      ...["a new 52-week high", "the lowest in history", "for the first time", "its worst session", "near its peak"],
    ].map((claim) => ["superlative", (text: string) => text.replace(/\.$/, `, ${claim}.`)] as const),
    ["name", (text) => `Halvorsen Capital sees it: ${text}`],
    ["name", (text) => text.replace(/\.$/, ", says Meridian Research.")],
    ["figure", (text) => text.replace(/\.$/, " with 64% odds.")],
    ["date", (text) => text.replace(/\.$/, " since 3 October 2026.")],
    ["window", (text) => text.replace(/\.$/, " over 45 days.")],
    ["quantity", (text) => text.replace(/\.$/, " after demand tripled.")],
  ],
  "pt-BR": [
    ...[
      ...["a máxima histórica", "o menor nível do ano", "o pior resultado", "um recorde", "pela primeira vez"],
      ...["o maior patamar da série", "sem precedentes", "no pico do ano", "a melhor marca de todos os tempos"],
    ].map((claim) => ["superlative", (text: string) => text.replace(/\.$/, `, ${claim}.`)] as const),
    ["name", (text) => `Corretora Almenara avisa: ${text}`],
    ["name", (text) => text.replace(/\.$/, ", diz a Meridiana Gestora.")],
    ["figure", (text) => text.replace(/\.$/, " com 64% de chance.")],
    ["date", (text) => text.replace(/\.$/, " desde 3 de outubro de 2026.")],
    ["window", (text) => text.replace(/\.$/, " em 45 dias.")],
    ["quantity", (text) => text.replace(/\.$/, " depois que a demanda triplicou.")],
  ],
};

/** Worlds that lie about one fact: another size, another sign, or one coin's figure given to another. */
const LIES: readonly (readonly [string, (w: World, fact: Fact, random: () => number) => World])[] = [
  ["value", (w, fact, random) => ({ ...w, [fact]: scale(w[fact], 1.21 + random() / 3) })],
  ["value", (w, fact, random) => ({ ...w, [fact]: scale(w[fact], 0.81 - random() / 3) })],
  ["sign", (w, fact) => (CHANGES.includes(fact) ? { ...w, [fact]: -w[fact] } : w)],
  ["subject", (w) => ({ ...w, btc: w.eth, eth: w.btc })],
  ["subject", (w) => ({ ...w, btc_1d: w.eth_1d, eth_1d: w.btc_1d })],
  ["subject", (w) => ({ ...w, selic: w.ipca, ipca: w.selic })],
];
const scale = (value: number, factor: number): number =>
  Number.isInteger(value) ? Math.round(value * factor) : value * factor;

interface Sentence {
  readonly text: string;
  readonly pack: FactsPack;
  readonly locale: NumberLocale;
  /** The lie in it; null for a true sentence. */
  readonly lie: string | null;
}

function makeCorpus(rounds: number): readonly Sentence[] {
  // Park and Miller's generator (1988): the same corpus in every run.
  let state = 904_117_733;
  const random = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const sentences: Sentence[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const [locale, wordings] of [
      ["en", [...ENGLISH, ...ENGLISH_LATER, ...ENGLISH_LAST, ...ENGLISH_FRESH]] as const,
      ["pt-BR", [...PORTUGUESE, ...PORTUGUESE_LATER, ...PORTUGUESE_LAST, ...PORTUGUESE_FRESH]] as const,
    ]) {
      for (const wording of wordings) {
        const world = makeWorld(random);
        const pack = makePack(world);
        const render = (w: World) => wording(w).replace(/\s+/g, " ");
        const text = render(world);
        sentences.push({ text, pack, locale, lie: null });
        const lies = LIES.flatMap(([lie, change]) =>
          (Object.keys(world) as Fact[]).map((fact) => ({ lie, text: render(change(world, fact, random)) })),
        ).filter((one) => one.text !== text);
        const added = ADDED[locale].map(([lie, add]) => ({ lie, text: add(text) }));
        sentences.push({ ...(random() < 0.5 ? pick(lies) : pick(added)), pack, locale });
      }
    }
  }
  return sentences;
}

describe("2,560 unseen sentences, half of them false", () => {
  const judged = makeCorpus(10).map((one) => {
    const block = { id: "b", text: one.text, facts: one.pack.facts.map(({ id }) => id), sources: [] };
    return { ...one, faults: createGuard(one.pack, one.locale).check(block) };
  });
  const right = judged.filter(({ lie }) => lie === null);
  const wrong = judged.filter(({ lie }) => lie !== null);

  test("at most 1 % of the false ones are accepted", () => {
    const accepted = wrong.filter(({ faults }) => faults.length === 0);
    expect(wrong.length).toBeGreaterThanOrEqual(500);
    const shown = accepted.slice(0, 20).map(({ lie, text }) => `${lie}: ${text}`);
    expect({ shown, is_within: accepted.length <= 0.01 * wrong.length }).toEqual({ shown, is_within: true });
  });

  test("at most 3 % of the true ones are refused", () => {
    const refused = right.filter(({ faults }) => faults.length > 0);
    expect(right.length).toBeGreaterThanOrEqual(500);
    const shown = refused.slice(0, 20).map(({ text, faults }) => `${text} ${JSON.stringify(faults)}`);
    expect({ shown, is_within: refused.length <= 0.03 * right.length }).toEqual({ shown, is_within: true });
  });

  test("the corpus has both languages and every kind of lie", () => {
    const kinds = new Set(wrong.map(({ lie, locale }) => `${locale} ${lie}`));
    for (const locale of ["en", "pt-BR"]) {
      for (const lie of ["value", "sign", "subject", "superlative", "name", "figure", "date", "window", "quantity"]) {
        expect(kinds).toContain(`${locale} ${lie}`);
      }
    }
  });
});
