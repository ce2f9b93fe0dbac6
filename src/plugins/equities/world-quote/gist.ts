import type { TellGist } from "intel-node";
import type { WorldQuoteData } from "./schema.ts";

export const gist: TellGist<WorldQuoteData> = (data, { en, pt, say, money, fig, move, moment, name, opt, pick }) => {
  const { symbol, market, currency, price, change_pct, end_of_day, quote_time, delay_minutes } = data;
  const day_move = move(change_pct, "pct");
  const late = fig(delay_minutes, "number");
  const kind = end_of_day ? pick("an end-of-day price", "preço de fim de dia") : null;
  return {
    headline: { value: price, unit: currency, sense: day_move ?? say`${symbol}, ${market}` },
    text:
      en`${name(symbol)} at ${name(market)} stood at ${money(price, currency)} on ${moment(quote_time)}${opt(
        en`, ${day_move} from the close before`,
      )}${opt(en`, ${kind}`)}${opt(en`, ${late} minutes late`)}` ??
      pt`${name(symbol)} na ${name(market)} estava em ${money(price, currency)} em ${moment(quote_time)}${opt(
        pt`, ${day_move} ante o fechamento anterior`,
      )}${opt(pt`, ${kind}`)}${opt(pt`, com ${late} minutos de atraso`)}`,
  };
};
