import { addDays, defineSimulator, type ISODate, type SimulatedWorld, weekdayOf } from "intel-node";
import { seriesOf } from "../../macro/series.ts";
import { readMove } from "../../simulated/simulated-days.ts";
import { listObservations, readSeriesAt } from "../../simulated/simulated-macro.ts";
import { CROPS } from "./fetch-crop.ts";
import { ibge } from "./provider.ts";

const SERIES: Readonly<Record<string, string>> = { "1737/63": "ipca", "6381/4099": "unemployment" };
const TITLES = ["IPCA", "PNAD Contínua", "Pesquisa Mensal de Comércio", "LSPA", "IPCA-15"];
const TONNES: Readonly<Record<keyof typeof CROPS, number>> = {
  soy: 172e6,
  corn_first: 26e6,
  corn_second: 112e6,
  wheat: 7.6e6,
  rice: 11.8e6,
  coffee: 3.4e6,
  sugar_cane: 690e6,
};

const today = (world: SimulatedWorld): ISODate => new Date(world.now() - 3 * 3_600_000).toISOString().slice(0, 10);

function respondAggregate([table, variable]: readonly [string, string], months: number, world: SimulatedWorld) {
  const id = SERIES[`${table}/${variable}`];
  if (id === undefined) return { status: 500, text: "Internal Server Error" };
  const series = seriesOf(id);
  const dates = listObservations(world, series, { from: addDays(today(world), -31 * (months + 3)), to: today(world) });
  const serie = Object.fromEntries(
    dates.slice(-months).map((date) => [date.slice(0, 7).replace("-", ""), String(readSeriesAt(world, series, date))]),
  );
  return {
    json: [
      { id: variable, variavel: "simulated", unidade: "%", resultados: [{ classificacoes: [], series: [{ serie }] }] },
    ],
  };
}

const fromAmerican = (text: string | null): ISODate => (text === null ? "" : `${text.slice(6)}-${text.slice(0, 5)}`);

function respondCalendar(query: URLSearchParams) {
  const [from, to] = [fromAmerican(query.get("de")), fromAmerican(query.get("ate"))];
  const items: unknown[] = [];
  for (let date = from; date <= to && date !== ""; date = addDays(date, 1)) {
    if (weekdayOf(date) % 6 === 0 || weekdayOf(date) % 2 === 0) continue;
    const titulo = TITLES[Number(date.slice(8)) % TITLES.length];
    const data_divulgacao = `${date.split("-").reverse().join("/")} 09:00:00`;
    items.push({ id: items.length, titulo, data_divulgacao, nome_produto: titulo, link: "https://www.ibge.gov.br" });
  }
  return { json: { count: items.length, page: 1, totalPages: 1, items } };
}

function respondCrop(variable: string, surveys: number, world: SimulatedWorld) {
  const heading = { NN: "Nível Territorial", MN: "Unidade de Medida", V: "Valor", D2N: "Variável" };
  const rows = Array.from({ length: surveys }, (_, back) => {
    const month = new Date(world.now());
    month.setUTCDate(1);
    month.setUTCMonth(month.getUTCMonth() - surveys + back);
    const date = month.toISOString().slice(0, 10);
    return Object.entries(CROPS).map(([crop, code]) => {
      const tonnes = TONNES[crop as keyof typeof CROPS] * (1 + 0.03 * readMove(world, `crop-${crop}`, date));
      const V = String(Math.round(variable === "35" ? tonnes : tonnes / 3.4));
      return {
        NN: "Brasil",
        MN: "Toneladas",
        V,
        D2N: "Produção",
        D3C: date.slice(0, 7).replace("-", ""),
        D4C: String(code),
        D4N: crop,
      };
    });
  }).flat();
  return { json: [{ ...heading, D3C: "Mês (Código)", D4C: "Produto das lavouras (Código)", D4N: "Produto" }, ...rows] };
}

export const simulator = defineSimulator({
  provider: ibge.id,
  respond({ path, query }, world) {
    const [, table = "", months = "", variable = ""] =
      /^\/api\/v3\/agregados\/(\d+)\/periodos\/-(\d+)\/variaveis\/(\d+)$/.exec(path) ?? [];
    if (table !== "") return respondAggregate([table, variable], Number(months), world);
    if (path === "/api/v3/calendario/") return respondCalendar(query);
    const [, asked = "", surveys = ""] =
      /^\/values\/t\/6588\/n1\/all\/v\/(\d+)\/p\/last(?:%20| )(\d+)\//.exec(path) ?? [];
    return asked === "" ? { status: 404, text: "" } : respondCrop(asked, Number(surveys), world);
  },
});
