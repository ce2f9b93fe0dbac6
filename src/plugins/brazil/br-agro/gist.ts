import type { Teller, TellGist } from "intel-node";
import type { AgroData } from "./schema.ts";

const GOODS: Readonly<Record<string, readonly [en: string, pt: string]>> = {
  BGI: ["live cattle", "boi gordo"],
  CCM: ["corn", "milho"],
  SJC: ["soy", "soja"],
  SOY: ["soy", "soja"],
  ICF: ["coffee", "café"],
};

type Future = AgroData["futures"][number];

/** "R$297.26 per arroba" */
const priceOf = (future: Future | undefined, { en, pt, money, name }: Teller) => {
  const [currency, measure] = future?.unit?.split("/") ?? [];
  const price = money(future?.settle, currency);
  return en`${price} per ${name(measure)}` ?? pt`${price} por ${name(measure)}`;
};

export const gist: TellGist<AgroData> = (data, teller) => {
  const { en, pt, move, day, name, word, opt } = teller;
  const fronts = data.futures?.filter(({ front }) => front) ?? [];
  const [first, second] = fronts.length > 0 ? fronts : (data.futures ?? []);
  const day_move = move(first?.change_pct, "pct");
  const good = word(GOODS, first?.root) ?? name(first?.root);
  const [price, other] = [priceOf(first, teller), priceOf(second, teller)];
  return {
    headline: { value: first?.settle, unit: first?.unit, sense: good },
    text:
      en`In ${name("Brazil")} ${good} settled at ${price} on ${day(data.trade_date)}${opt(en`, ${day_move} on the
        day`)}${opt(en`, and ${word(GOODS, second?.root)} at ${other}`)}, by settlements of ${name("B3")}` ??
      pt`No ${name("Brasil")} ${good} ajustou a ${price} em ${day(data.trade_date)}${opt(pt`, ${day_move} no dia`)}
        ${opt(pt`, e ${word(GOODS, second?.root)} a ${other}`)}, por ajustes da ${name("B3")}`,
  };
};
