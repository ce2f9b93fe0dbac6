import { getOwn } from "intel-node";

/** What the facts of the Portuguese report are called in its tables, by name. */
const LABELS: Readonly<Record<string, string>> = {
  selic: "meta da Selic",
  selic_days: "dias até a próxima decisão do Copom",
  ipca_mom: "IPCA do mês mais recente",
  ipca_12m: "IPCA em 12 meses",
  ipca_3m: "IPCA de 3 meses, taxa anual",
  ipca_gap: "IPCA em 12 meses menos a meta",
  target: "meta de inflação",
  band_low: "piso da banda da meta",
  band_high: "teto da banda da meta",
  ipca15: "IPCA-15 do mês mais recente",
  igpm_12m: "IGP-M em 12 meses",
  core_12m: "média de dois núcleos em 12 meses",
  ex_ante: "juro real ex-ante",
  ex_post: "juro real ex-post",
  ptax: "PTAX, venda",
  ptax_5d: "variação da PTAX, 5 dias úteis",
  ptax_21d: "variação da PTAX, 21 dias úteis",
  ptax_low: "PTAX, um desvio padrão abaixo em 21 dias",
  ptax_high: "PTAX, um desvio padrão acima em 21 dias",
  ibc_3m3m: "IBC-Br, 3 meses contra 3 meses",
  unemployment: "desemprego",
  gross_debt: "dívida bruta, % do PIB",
  debt_12m: "variação da dívida bruta, 12 meses",
  primary_12m: "resultado primário de 12 meses, % do PIB",
  reserves: "reservas internacionais",
  trade: "balança comercial do mês mais recente",
  slope_2s10s: "10 anos menos 2 anos",
  breakeven_5y5y: "inflação implícita de 5 anos daqui a 5 anos",
  level_21d: "variação média de todos os prazos, 21 dias",
  focus_gap: "taxa implícita do fim do ano menos a da pesquisa",
  next_step: "passo implícito da próxima decisão do Copom",
  next_rate: "taxa implícita depois da próxima decisão do Copom",
  ibov: "Ibovespa, fechamento",
  ibov_1d: "variação do Ibovespa, 1 dia",
  ibov_5d: "variação do Ibovespa, 5 dias",
  ibov_21d: "variação do Ibovespa, 21 dias",
  ibov_drawdown: "Ibovespa a partir da máxima",
  advancers: "papéis que subiram",
  members: "papéis com fechamento",
  breadth: "parcela dos papéis que subiram",
  best: "maior alta do índice",
  worst: "maior queda do índice",
  cattle: "boi gordo, primeiro futuro, por arroba",
  corn: "milho, primeiro futuro, por saca de 60 kg",
  soy: "soja, primeiro futuro, por saca de 60 kg",
  cattle_corn: "sacas de milho que uma arroba de boi compra",
  cattle_corn_rank: "posição dessa relação em 52 semanas",
  soy_crop: "safra de soja do ano, toneladas",
  soy_crop_yoy: "safra de soja, variação em um ano",
  focus_ipca: "mediana do Focus, IPCA do ano",
  focus_ipca_4w: "Focus, IPCA do ano, variação em 4 semanas",
  focus_selic: "mediana do Focus, Selic no fim do ano",
  focus_gdp: "mediana do Focus, PIB do ano",
  focus_usd: "mediana do Focus, dólar no fim do ano",
  btc: "BTC em dólares",
  btc_brl: "BTC em reais pela PTAX",
  btc_24h: "variação do BTC, 24h",
  eth: "ETH em dólares",
  eth_brl: "ETH em reais pela PTAX",
  eth_24h: "variação do ETH, 24h",
  fear_greed: "medo e ganância",
  events: "divulgações e decisões em 14 dias",
  risks_known: "gatilhos avaliados",
  risks_on: "gatilhos acionados",
  selic_since: "meta da Selic, desde",
  copom_next: "próxima decisão do Copom",
  ipca_period: "IPCA, mês mais recente",
  ptax_date: "PTAX, dia",
  focus_date: "pesquisa Focus, dia",
  focus_year: "pesquisa Focus, fim do ano",
  curve_date: "curva, dia",
  copom_priced: "decisão do Copom nos futuros de DI",
  equity_date: "Ibovespa, dia",
  agro_date: "futuros agrícolas, dia",
};

const TERMS: Readonly<Record<string, string>> = { "6m": "6 meses", "1y": "1 ano", "2y": "2 anos", "5y": "5 anos" };
const DAYS: Readonly<Record<string, string>> = { "1d": "1 dia", "5d": "5 dias", "21d": "21 dias" };
const RATES: Readonly<Record<string, string>> = { di: "DI", real: "juro real", breakeven: "inflação implícita" };
const CURVE_NAME = /^(di|real|breakeven)_(6m|1y|2y|5y|10y)(?:_(1d|5d|21d))?$/;

/** The Portuguese label of a fact, or else its English one. */
export function labelInPortuguese({ name, label }: { readonly name: string; readonly label: string }): string {
  const [, rate = "", term = "", days] = CURVE_NAME.exec(name) ?? [];
  if (rate === "") return getOwn(LABELS, name) ?? label;
  const what = `${getOwn(RATES, rate)} de ${getOwn(TERMS, term) ?? "10 anos"}`;
  return days === undefined ? what : `variação do ${what}, ${getOwn(DAYS, days)}`;
}
