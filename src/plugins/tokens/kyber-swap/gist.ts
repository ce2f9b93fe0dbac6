import type { TellGist } from "intel-node";
import type { SwapData } from "./schema.ts";

export const gist: TellGist<SwapData> = (data, { en, pt, say, money, fig, moment, name, opt }) => {
  const { base, quote, effective_price, price_impact_pct, chain, route_engine, quoted_at } = data;
  const [sold, got] = [name(base?.symbol) ?? name(base?.address), name(quote?.symbol) ?? name(quote?.address)];
  const impact = fig(price_impact_pct, "pct");
  return {
    headline: {
      value: effective_price,
      unit: say`${got}/${sold}`,
      sense: en`impact ${impact}` ?? pt`impacto ${impact}` ?? route_engine,
    },
    text:
      en`${sold} sells for ${money(effective_price, quote?.symbol)} on ${name(chain)} by ${name(route_engine)} on
        ${moment(quoted_at)}${opt(en`, with a price impact of ${impact}`)}` ??
      pt`${sold} sai por ${money(effective_price, quote?.symbol)} na ${name(chain)} pela ${name(route_engine)} em
        ${moment(quoted_at)}${opt(pt`, com impacto no preço de ${impact}`)}`,
  };
};
