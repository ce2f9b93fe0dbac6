import {
  cleanUntrusted,
  createPack,
  type FactDraft,
  isSuspicious,
  type OtherAnswer,
  type Outcome,
  renderTime,
  type SentenceWriter,
  type SourceText,
  type WritingPlan,
} from "intel-node";
import { COMMODITIES, type MorningInputs, PAIRS } from "./fetch.ts";

const PLAIN = { unsigned: true } as const;
const COINS = ["BTC", "ETH", "SOL"] as const;
const HEADLINES = 3;

/** Facts of a part that is there, with its product and time. */
function listOf<D>(
  part: Outcome<OtherAnswer<D>>,
  from: string,
  list: (data: D) => readonly Omit<FactDraft, "from" | "as_of">[],
) {
  if (!part.ok) return [];
  const as_of = renderTime(part.value.as_of_ms).slice(0, 10);
  return list(part.value.data).map((draft) => ({ ...draft, from, as_of }));
}

const listCrypto = ({ crypto }: MorningInputs) =>
  listOf(crypto, "/market-brief", ({ prices, fear_greed, derivatives }) => [
    ...COINS.flatMap((about) => {
      const price = prices.find(({ symbol }) => symbol === about);
      if (!price) return [];
      const change = { unit: "pct", kind: "change", about } as const;
      return [
        { name: about, label: `${about} price`, unit: "usd", about, value: price.price_usd } as const,
        { ...change, name: `${about}_24h`, label: `${about} change, 24h`, window: "24h", value: price.chg_24h_pct },
        { ...change, name: `${about}_7d`, label: `${about} change, 7d`, window: "7d", value: price.chg_7d_pct },
      ];
    }),
    { name: "fear_greed", label: "fear and greed", unit: "index", value: fear_greed?.value } as const,
    {
      name: "funding",
      label: "BTC funding a year",
      unit: "pct",
      kind: "change",
      value: derivatives?.btc_funding_apr_pct,
    },
  ]);

const listRates = ({ fx }: MorningInputs) =>
  PAIRS.flatMap((about) =>
    listOf(fx[about], "/forex-rate", ({ rate, change_1d_pct }) => [
      { name: about, label: `${about} rate`, unit: "number", about, value: rate },
      {
        name: `${about}_1d`,
        label: `${about} change, 1 day`,
        unit: "pct",
        kind: "change",
        about,
        window: "1d",
        value: change_1d_pct,
      },
    ]),
  );

const listCommodities = ({ commodities }: MorningInputs) =>
  COMMODITIES.flatMap((about) =>
    listOf(commodities[about], "/commodity-price", ({ price }) => [
      { name: about, label: `${about}, US dollars an ounce`, unit: "usd", about, value: price },
    ]),
  );

const listBrazil = ({ brazil, brazil_curve }: MorningInputs) => [
  ...listOf(brazil, "/br-macro", ({ selic, inflation, fx }) => [
    { name: "selic", label: "Selic target", unit: "pct", about: "Selic", value: selic.target_pct },
    {
      name: "ipca",
      label: "IPCA over 12 months",
      unit: "pct",
      about: "IPCA",
      window: "12m",
      value: inflation.ipca_12m,
    },
    { name: "ptax", label: "PTAX, sell", unit: "brl", about: "PTAX", value: fx.ptax_sell },
  ]),
  ...listOf(brazil_curve, "/br-curve", ({ curve }) =>
    (["1y", "10y"] as const).map((term) => ({
      name: `di_${term}`,
      label: `DI rate of ${term}`,
      unit: "pct" as const,
      value: curve.find(({ tenor }) => tenor === term)?.nominal,
    })),
  ),
];

/** The leading headlines; each is a stranger's text and stays one. */
const listTexts = ({ ai_tech }: MorningInputs): readonly SourceText[] =>
  (ai_tech.ok ? ai_tech.value.data.items : [])
    .slice(0, HEADLINES)
    .map(({ title, url, domain, published_at }, index) => ({
      id: `N${index + 1}`,
      title: cleanUntrusted(title, { chars_max: 200 }),
      url,
      domain,
      published_at,
      excerpt: null,
      suspicious: isSuspicious(title),
    }));

const DAY_MS = 86_400_000;
/** High and medium events of the next 24 hours; null when the calendar is missing. */
export const listEvents = ({ calendar }: MorningInputs, now_ms: number) =>
  calendar.ok
    ? calendar.value.data.events
        .filter(({ importance }) => importance !== "low")
        .filter(({ time_utc }) => Date.parse(time_utc) >= now_ms && Date.parse(time_utc) < now_ms + DAY_MS)
        .slice(0, 40)
        .map(({ time_utc, title, country, importance }) => ({ time_utc, title, country, importance }))
    : null;

const sayCrypto =
  ({ crypto }: MorningInputs) =>
  ({ say, show, bySign }: SentenceWriter): void => {
    for (const coin of COINS) {
      const [day, week] = [`${coin}_24h`, `${coin}_7d`];
      const moved = (name: string) => bySign(name, ["up", "down", "changed by"]);
      say`${coin} trades at ${show(coin)}, ${moved(day)} ${show(day, PLAIN)} in 24h and ${moved(week)}
      ${show(week, PLAIN)}
      in 7d.`;
    }
    const regime = crypto.ok ? crypto.value.data.regime?.regime : undefined;
    if (regime) say`The market regime is ${regime}.`;
    say`Fear and greed reads ${show("fear_greed")}.`;
    say`Funding of the BTC perpetual runs at ${show("funding")} a year.`;
  };
const sayFX = ({ say, show }: SentenceWriter): void => {
  for (const pair of PAIRS) {
    say`${pair} stands at ${show(pair, { decimals: 4 })}, a change of ${show(`${pair}_1d`)} on the day.`;
  }
};
const sayCommodities = ({ say, show }: SentenceWriter): void => {
  say`An ounce of gold costs ${show("gold")}.`;
};
const sayBrazil = ({ say, show }: SentenceWriter): void => {
  say`In Brazil the Selic target is ${show("selic")} and the IPCA over 12 months ${show("ipca")}.`;
  say`The DI rate of 1 year is ${show("di_1y")} and that of 10 years ${show("di_10y")}.`;
  say`The PTAX sell rate was ${show("ptax")}.`;
};
const sayGeo =
  ({ geo }: MorningInputs) =>
  ({ say, show }: SentenceWriter): void => {
    if (geo.ok) say`Geopolitical risk scores ${show("geo", { decimals: 1 })}, in the band ${geo.value.data.band}.`;
  };
const sayCalendar = ({ say, show }: SentenceWriter): void => {
  say`Within 24h the calendar has ${show("events")} events of high or medium importance.`;
};
const sayNews =
  (texts: readonly SourceText[]) =>
  ({ say, quote }: SentenceWriter): void => {
    for (const { id } of texts) say`${quote(id)}.`;
  };

/** The brief to be written. */
export function planMorning(inputs: MorningInputs, now_ms: number): WritingPlan {
  const texts = listTexts(inputs);
  const builder = createPack({
    texts,
    windows: ["24h", "7d", "12m", "1y", "10y", "1d"],
    subjects: Object.fromEntries([...COINS, ...PAIRS, ...COMMODITIES, "Selic", "IPCA", "PTAX"].map((one) => [one, []])),
  });
  const events = listEvents(inputs, now_ms)?.length;
  builder.addAll([
    ...[...listCrypto(inputs), ...listRates(inputs), ...listCommodities(inputs), ...listBrazil(inputs)],
    ...listOf(inputs.geo, "/geo-alpha", ({ score }) => [
      { name: "geo", label: "geopolitical risk index", unit: "index", value: score },
    ]),
    ...listOf(inputs.calendar, "/macro-calendar", () => [
      { name: "events", label: "events of 24h, high and medium", unit: "count", value: events },
    ]),
  ]);
  const block = (id: string, about: string, template: (write: SentenceWriter) => void) => ({
    id,
    about,
    words_max: 60,
    template,
  });
  return {
    pack: builder.build(),
    locale: "en",
    task: "You write the morning brief of global markets, for software agents.",
    blocks: [
      block("crypto", "leading coins, regime, mood", sayCrypto(inputs)),
      block("fx", "main currency pairs", sayFX),
      block("commodities", "gold", sayCommodities),
      block("calendar", "what is published today", sayCalendar),
      block("geo", "geopolitical risk", sayGeo(inputs)),
      block("brazil", "rates, inflation and currency of Brazil", sayBrazil),
      block("ai_tech", "leading headlines on AI, quoted", sayNews(texts)),
    ],
  };
}
