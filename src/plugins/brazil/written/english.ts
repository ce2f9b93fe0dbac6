import type { BlockPlan, SentenceWriter } from "intel-node";
import { type BrazilParts, dataOf } from "./parts.ts";

const PLAIN = { unsigned: true } as const;

const sayRates =
  (parts: BrazilParts) =>
  ({ say, show, day, bySign }: SentenceWriter): void => {
    const { since_date, next_meeting_date } = dataOf(parts, "macro")?.selic ?? {};
    if (since_date) say`The Selic target has been ${show("selic")} since ${day(since_date)}.`;
    else say`The Selic target is ${show("selic")}.`;
    say`The Copom decides next on ${day(next_meeting_date)}.`;
    const meeting = dataOf(parts, "curve")?.copom_path?.[0]?.meeting_date;
    say`DI futures imply a step of ${show("next_step")} for ${day(meeting)}, to an average of ${show("next_rate")}.`;
    say`The DI rate of 1 year closed at ${show("di_1y")} and that of 10 years at ${show("di_10y")}.`;
    say`Over 5 days the former moved ${bySign("di_1y_5d", ["up", "down"])} by ${show("di_1y_5d", PLAIN)}.`;
    say`The slope from 2 years to 10 years is ${show("slope_2s10s")}.`;
    say`The rate implied for the end of the year differs from the survey by ${show("focus_gap")}.`;
  };

const sayInflation =
  (parts: BrazilParts) =>
  ({ say, show, bySign }: SentenceWriter): void => {
    const year = dataOf(parts, "macro")?.focus?.[0]?.year;
    say`The IPCA runs at ${show("ipca_12m")} over 12 months, ${show("ipca_gap", PLAIN)}
    ${bySign("ipca_gap", ["above", "below"])} the target of ${show("target")}.`;
    say`Its newest month brought ${show("ipca_mom")}, and its annual rate of 3 months is ${show("ipca_3m")}.`;
    if (year !== undefined) say`The Focus survey expects ${show("focus_ipca")} for ${String(year)}.`;
    say`The real rate is ${show("ex_ante")} ex-ante and ${show("ex_post")} ex-post.`;
    say`Breakeven inflation of 5 years stands at ${show("breakeven_5y")}.`;
  };

const sayFX = ({ say, show, bySign }: SentenceWriter): void => {
  say`The PTAX sell rate was ${show("ptax")}, a change of ${show("ptax_21d")} over 21 business days.`;
  say`Realised volatility puts the PTAX between ${show("ptax_low")} and ${show("ptax_high")} within a standard
    deviation over 21 days.`;
  say`The Ibovespa closed at ${show("ibov", { decimals: 0 })}, ${bySign("ibov_1d", ["up", "down", "changed"])}
    ${show("ibov_1d", PLAIN)} on the day.`;
  say`Over 5 days the Ibovespa changed by ${show("ibov_5d")}.`;
  say`In the index, ${show("advancers")} of ${show("members")} members rose.`;
};

const sayAgro = ({ say, show }: SentenceWriter): void => {
  say`Live cattle settled at ${show("cattle")} per arroba.`;
  say`Corn settled at ${show("corn")} per sack of 60 kg.`;
  say`Soy settled at ${show("soy")} per sack of 60 kg.`;
  say`An arroba of cattle buys ${show("cattle_corn")} sacks of corn.`;
  say`The official soy crop estimate changed by ${show("soy_crop_yoy")} against a year before.`;
};

const sayFiscal = ({ say, show }: SentenceWriter): void => {
  say`Gross debt stands at ${show("gross_debt")} of GDP, a change of ${show("debt_12m")} in 12 months.`;
  say`The primary balance of 12 months is ${show("primary_12m")} of GDP.`;
};

const sayExternal = ({ say, show }: SentenceWriter): void => {
  say`Reserves stand at ${show("reserves")}, and the trade balance of the newest month was ${show("trade")}.`;
};

const sayWatch =
  (parts: BrazilParts) =>
  ({ say, show, day }: SentenceWriter): void => {
    const next = dataOf(parts, "macro")?.selic.next_meeting_date;
    say`To watch: the Copom decision of ${day(next)}, ${show("selic_days")} days ahead of the newest figures.`;
    say`Unemployment is ${show("unemployment")}, and activity by the IBC-Br changed by ${show("ibc_3m3m")} in 3
    months against the 3 months before.`;
  };

/** The blocks of English texts on Brazil, by id. */
export function listEnglishBlocks(parts: BrazilParts) {
  const block = (id: string, about: string, template: BlockPlan["template"]): BlockPlan => ({
    id,
    about,
    words_max: 90,
    template,
  });
  return {
    rates: block("rates", "policy rate, its path and the DI curve", sayRates(parts)),
    inflation: block("inflation", "inflation against target, survey, real rates", sayInflation(parts)),
    fx_equity: block("fx_equity", "the dollar and the Ibovespa", sayFX),
    agro: block("agro", "farm prices", sayAgro),
    fiscal: block("fiscal", "public accounts", sayFiscal),
    external: block("external", "external accounts", sayExternal),
    watch: block("watch", "what comes next", sayWatch(parts)),
  } as const;
}
