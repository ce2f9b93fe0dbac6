import type { TellGist } from "intel-node";
import type { ForexData } from "./schema.ts";

export const gist: TellGist<ForexData> = (data, { en, pt, say, money, fig, move, moment, name, opt }) => {
  const { base, quote, rate, change_1d_pct, dispersion_bps, spread_bps } = data;
  const day_move = move(change_1d_pct, "pct");
  const apart = fig(dispersion_bps, "bps");
  const spread = fig(spread_bps, "bps");
  return {
    headline: {
      value: rate,
      unit: say`${quote}/${base}`,
      sense: day_move ?? say`${base}/${quote}`,
    },
    text:
      en`${name(base)} bought ${money(rate, quote, { decimals: 4 })} on ${moment()}${opt(en`, ${day_move} from the day
        before`)}${opt(en`, its sources being ${apart} apart`)}${opt(apart ? null : en`, quoted ${spread} wide`)}` ??
      pt`${name(base)} comprava ${money(rate, quote, { decimals: 4 })} em ${moment()}${opt(pt`, ${day_move} ante o dia
        anterior`)}${opt(
        pt`, com as fontes a ${apart} entre si`,
      )}${opt(apart ? null : pt`, cotado com ${spread} de diferença`)}`,
  };
};
