import type { BlockPlan, SentenceWriter } from "intel-node";
import { type BrazilParts, dataOf } from "./parts.ts";

const PLAIN = { unsigned: true } as const;
const SIGNED = { plus: true, decimals: 1 } as const;
/** Below 2 the noun is singular; 0 is written with the plural. */
const isOne = (value: number | undefined): boolean => value !== undefined && value >= 1 && value < 2;
const RISE = ["alta de", "queda de", "variação de"] as const;

/** Crypto facts of another product, under the names the pack gives them. */
export interface CryptoFacts {
  readonly regime: "bull" | "bear" | "chop" | null;
}

const sayJuros =
  (parts: BrazilParts) =>
  ({ say, show, day, bySign }: SentenceWriter): void => {
    const { since_date, next_meeting_date } = dataOf(parts, "macro")?.selic ?? {};
    const year = dataOf(parts, "macro")?.focus?.[0]?.year;
    if (since_date) {
      say`A meta da Selic está em ${show("selic")} ao ano desde ${day(since_date)}; a próxima decisão do Copom é em
      ${day(next_meeting_date)}.`;
    } else {
      say`A meta da Selic está em ${show("selic")} ao ano; a próxima decisão do Copom é em
      ${day(next_meeting_date)}.`;
    }
    say`O IPCA acumula ${show("ipca_12m")} em 12 meses, ${show("ipca_gap", PLAIN)}
    ${bySign("ipca_gap", ["acima", "abaixo"])} da meta de ${show("target")}.`;
    say`O IPCA-15 mais recente foi de ${show("ipca15")}, e o IGP-M acumula ${show("igpm_12m")} em 12 meses.`;
    if (year !== undefined) {
      say`A mediana do Focus para o IPCA de ${String(year)} está em ${show("focus_ipca")}, variação de
      ${show("focus_ipca_4w")} em 4 semanas.`;
    }
    say`O juro real está em ${show("ex_ante")} ex-ante e em ${show("ex_post")} ex-post.`;
  };

const sayCurva =
  (parts: BrazilParts) =>
  ({ say, show, day }: SentenceWriter): void => {
    const meeting = dataOf(parts, "curve")?.copom_path?.[0]?.meeting_date;
    const change = show("di_1y_5d", SIGNED);
    if (change) {
      say`O DI de 1 ano fechou em ${show("di_1y")} (${change} em 5 dias) e o de 10 anos em ${show("di_10y")}.`;
    } else say`O DI de 1 ano fechou em ${show("di_1y")} e o de 10 anos em ${show("di_10y")}.`;
    say`A inclinação entre o vértice de 2 anos e o de 10 anos é de ${show("slope_2s10s", { decimals: 1 })}.`;
    say`A inflação implícita de 5 anos está em ${show("breakeven_5y")}.`;
    say`Para a decisão de ${day(meeting)}, os futuros embutem ${show("next_step", SIGNED)}, com taxa média de
    ${show("next_rate")} depois dela.`;
  };

const sayBolsa = ({ say, show, bySign, fact }: SentenceWriter): void => {
  say`O Ibovespa fechou em ${show("ibov", { decimals: 0 })} pontos, ${bySign("ibov_1d", RISE)}
    ${show("ibov_1d", PLAIN)} no
    dia.`;
  say`Em 5 dias, a variação do Ibovespa é de ${show("ibov_5d")}.`;
  const [papers, rose] = isOne(fact("advancers")?.value) ? ["papel", "subiu"] : ["papéis", "subiram"];
  say`No índice, ${show("advancers")} ${papers} de ${show("members")} ${rose} (${show("breadth")}).`;
  say`A PTAX de venda foi ${show("ptax")}, variação de ${show("ptax_21d")} em 21 dias úteis.`;
  say`Pela volatilidade realizada, a faixa de 21 dias da PTAX vai de ${show("ptax_low")} a ${show("ptax_high")}.`;
};

const sayFiscal = ({ say, show }: SentenceWriter): void => {
  say`A dívida bruta está em ${show("gross_debt")} do PIB, variação de ${show("debt_12m")} em 12 meses.`;
  say`O resultado primário de 12 meses está em ${show("primary_12m")} do PIB.`;
  say`As reservas somam ${show("reserves")}, e a balança comercial do mês mais recente foi de ${show("trade")}.`;
};

const sayAgro = ({ say, show, fact }: SentenceWriter): void => {
  say`O boi gordo fechou em ${show("cattle")} por arroba.`;
  say`O milho fechou em ${show("corn")} por saca de 60 kg.`;
  say`A soja fechou em ${show("soy")} por saca de 60 kg.`;
  const sacks = isOne(fact("cattle_corn")?.value) ? "saca" : "sacas";
  say`Uma arroba de boi compra ${show("cattle_corn")} ${sacks} de milho.`;
  say`A estimativa oficial da safra de soja varia ${show("soy_crop_yoy")} em relação à do ano anterior.`;
};

const REGIMES = { bull: "alta", bear: "baixa", chop: "lateralização" } as const;

const sayCripto =
  ({ regime }: CryptoFacts) =>
  ({ say, show, bySign }: SentenceWriter): void => {
    say`O BTC vale ${show("btc")}, ${bySign("btc_24h", RISE)} ${show("btc_24h", PLAIN)} em 24h; 
      em reais, ${show("btc_brl")} pela PTAX.`;
    say`O ETH vale ${show("eth")}, ${bySign("eth_24h", RISE)} ${show("eth_24h", PLAIN)} em 24h; 
      em reais, ${show("eth_brl")} pela PTAX.`;
    say`O índice de medo e ganância marca ${show("fear_greed")}.`;
    if (regime) say`O regime do mercado de cripto é de ${REGIMES[regime]}.`;
  };

const sayAgenda =
  (parts: BrazilParts) =>
  ({ say, show, day, fact }: SentenceWriter): void => {
    const next = dataOf(parts, "macro")?.selic.next_meeting_date;
    const events = isOne(fact("events")?.value) ? "divulgação ou decisão" : "divulgações e decisões";
    say`Nos próximos 14 dias, a agenda tem ${show("events")} ${events}.`;
    say`O Copom decide em ${day(next)}.`;
  };

const sayResumo = ({ say, show, bySign }: SentenceWriter): void => {
  say`A meta da Selic está em ${show("selic")} ao ano.`;
  say`O IPCA acumula ${show("ipca_12m")} em 12 meses.`;
  say`O DI de 1 ano está em ${show("di_1y")}.`;
  say`A PTAX de venda foi ${show("ptax")}.`;
  say`O Ibovespa teve ${bySign("ibov_1d", RISE)} ${show("ibov_1d", PLAIN)} no dia.`;
};

const sayRiscos = ({ say, show, fact }: SentenceWriter): void => {
  const known = isOne(fact("risks_known")?.value) ? "gatilho avaliado" : "gatilhos avaliados";
  const on = isOne(fact("risks_on")?.value) ? "está acionado" : "estão acionados";
  say`De ${show("risks_known")} ${known}, ${show("risks_on")} ${on}.`;
};

/** The sections of the Portuguese report that have sentences, in order. */
export function listPortugueseBlocks(parts: BrazilParts, crypto: CryptoFacts): readonly BlockPlan[] {
  const block = (id: string, about: string, template: BlockPlan["template"]): BlockPlan => ({
    id,
    about,
    words_max: 110,
    template,
  });
  return [
    block("resumo", "as cinco leituras principais", sayResumo),
    block("juros_inflacao", "juros e inflação", sayJuros(parts)),
    block("curva", "curva de juros", sayCurva(parts)),
    block("bolsa_cambio", "bolsa e câmbio", sayBolsa),
    block("fiscal_externo", "contas públicas e externas", sayFiscal),
    block("agro", "agro", sayAgro),
    block("cripto", "cripto", sayCripto(crypto)),
    block("agenda", "agenda", sayAgenda(parts)),
    block("riscos", "riscos", sayRiscos),
  ];
}
