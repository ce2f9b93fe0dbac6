import type { TellGist } from "intel-node";
import type { BacktestData } from "./schema.ts";

export const gist: TellGist<BacktestData> = (data, { en, pt, fig, day, name, opt, pick }) => {
  const { strategy, symbol, from, to, metrics, benchmark, rules_tried } = data;
  const made = fig(metrics?.total_return_pct, "pct");
  const held = fig(benchmark?.total_return_pct, "pct");
  const tried = fig(rules_tried, "count");
  return {
    headline: { value: metrics?.total_return_pct, unit: "pct", sense: pick("return of the rule", "retorno da regra") },
    text:
      en`${name(strategy)} on ${name(symbol)} returned ${made} from ${day(from)} to ${day(to)}${opt(
        en`, against ${held} of holding`,
      )}${opt(en`; it is one of ${tried} rules on offer, the past of which proves little`)}` ??
      pt`${name(strategy)} em ${name(symbol)} rendeu ${made} de ${day(from)} a ${day(to)}${opt(
        pt`, contra ${held} de manter a moeda`,
      )}${opt(pt`; é uma de ${tried} regras oferecidas, cujo passado prova pouco`)}`,
  };
};
