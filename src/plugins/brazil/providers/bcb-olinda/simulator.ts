import { addDays, defineSimulator, type ISODate, isBankDay, type SimulatedWorld, yearOf } from "intel-node";
import { ptaxOf } from "../../simulated/simulated-b3.ts";
import { isPublished, readMove, round } from "../../simulated/simulated-days.ts";
import { FOCUS_INDICATORS, type FocusIndicator } from "./fetch-focus.ts";
import { bcbOlinda } from "./provider.ts";

const LEVELS: Readonly<Record<FocusIndicator, number>> = {
  IPCA: 4.4,
  "IGP-M": 3.6,
  "PIB Total": 2.1,
  Câmbio: 5.5,
  Selic: 12.5,
  "Dívida bruta do governo geral": 83.5,
};
const isIndicator = (text: string): text is FocusIndicator => Object.hasOwn(FOCUS_INDICATORS, text);

const toISO = (american: string): ISODate => `${american.slice(6)}-${american.slice(0, 5)}`;
const today = (world: SimulatedWorld): ISODate => new Date(world.now() - 3 * 3_600_000).toISOString().slice(0, 10);

function respondPTAX(query: URLSearchParams, world: SimulatedWorld) {
  const [from, to] = ["@dataInicial", "@dataFinalCotacao"].map((name) =>
    toISO((query.get(name) ?? "").replaceAll("'", "")),
  );
  const value: unknown[] = [];
  for (let date = from ?? ""; date !== "" && date <= (to ?? "") && date <= today(world); date = addDays(date, 1)) {
    if (!isBankDay(date) || !isPublished(world, date, "13:10")) continue;
    const { buy, sell } = ptaxOf(world, date);
    value.push({ cotacaoCompra: buy, cotacaoVenda: sell, dataHoraCotacao: `${date} 13:09:25.123` });
  }
  return { json: { value } };
}

/** Survey days, newest first: every bank day of the window up to yesterday. */
function* surveyDays(since: ISODate, world: SimulatedWorld): Generator<ISODate> {
  for (let date = addDays(today(world), -1); date >= since; date = addDays(date, -1)) if (isBankDay(date)) yield date;
}

function surveyOf(world: SimulatedWorld, [indicator, key]: readonly [FocusIndicator, string], date: ISODate) {
  const median = round(LEVELS[indicator] * (1 + 0.04 * readMove(world, `focus-${indicator}-${key}`, date)), 4);
  const spread = Math.abs(median) * 0.06;
  return {
    Indicador: indicator,
    Data: date,
    Media: round(median + spread / 30, 4),
    Mediana: median,
    DesvioPadrao: round(spread / 2, 4),
    Minimo: round(median - 2 * spread, 4),
    Maximo: round(median + 2 * spread, 4),
    numeroRespondentes: 148,
    baseCalculo: 0,
  };
}

function respondFocus(set: string, query: URLSearchParams, world: SimulatedWorld) {
  const filter = query.get("$filter") ?? "";
  const [, since = today(world)] = /Data ge '([0-9-]{10})'/.exec(filter) ?? [];
  const [, named = "IPCA"] = /Indicador eq '([^']*)'/.exec(filter) ?? [];
  const indicator: FocusIndicator = isIndicator(named) ? named : "IPCA";
  const year = yearOf(today(world));
  const value: unknown[] = [];
  for (const date of surveyDays(since, world)) {
    if (set === "ExpectativasMercadoAnuais") {
      for (let of = year; of < year + 5; of++) {
        value.push({
          ...surveyOf(world, [indicator, String(of)], date),
          IndicadorDetalhe: null,
          DataReferencia: String(of),
        });
      }
    } else if (set === "ExpectativasMercadoInflacao12Meses") {
      for (const Suavizada of ["S", "N"])
        value.push({ ...surveyOf(world, ["IPCA", `12m${Suavizada}`], date), Suavizada });
    } else {
      for (let meeting = 1; meeting <= 8; meeting++) {
        const Reuniao = `R${meeting}/${year + 1}`;
        const { Mediana, ...rest } = surveyOf(world, ["Selic", Reuniao], date);
        value.push({ ...rest, Reuniao, Mediana: Math.round(Mediana * 4) / 4 });
      }
    }
  }
  return { json: { value: value.slice(0, Number(query.get("$top") ?? "1000")) } };
}

export const simulator = defineSimulator({
  provider: bcbOlinda.id,
  respond({ path, query }, world) {
    if (path.startsWith("/olinda/servico/PTAX/")) return respondPTAX(query, world);
    const [, set] = /^\/olinda\/servico\/Expectativas\/versao\/v1\/odata\/(\w+)$/.exec(path) ?? [];
    return set === undefined ? { status: 404, text: "" } : respondFocus(set, query, world);
  },
});
