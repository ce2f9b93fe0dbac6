import type { TellGist } from "intel-node";
import type { CommodityData } from "./schema.ts";

export const gist: TellGist<CommodityData> = (data, { en, pt, money, fig, move, moment, name, opt, pick }) => {
  const { symbol, price, unit, currency, observed_at, change_pct, dispersion_bps } = data;
  const day_move = move(change_pct, "pct");
  const measure = name(unit?.split("/")[1]);
  const per = en` per ${measure}` ?? pt` por ${measure}`;
  const apart = fig(dispersion_bps, "bps");
  return {
    headline: { value: price, unit, currency, sense: day_move ?? pick("price", "preço") },
    text:
      en`${name(symbol)} stood at ${money(price, currency)}${opt(per)} on ${moment(observed_at)}${opt(en`, ${day_move}
        from the last fix`)}${opt(en`, its sources being ${apart} apart`)}` ??
      pt`${name(symbol)} estava em ${money(price, currency)}${opt(per)} em ${moment(observed_at)}${opt(pt`,
        ${day_move} ante a última fixação`)}${opt(pt`, com as fontes a ${apart} entre si`)}`,
  };
};
