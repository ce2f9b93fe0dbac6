import type { TellGist } from "intel-node";
import type { StockQuoteData } from "./schema.ts";

const SESSIONS: Readonly<Record<string, readonly [en: string, pt: string]>> = {
  open: ["the exchange being open", "com a bolsa aberta"],
  closed: ["the exchange being closed", "com a bolsa fechada"],
  pre: ["before the open", "antes da abertura"],
  post: ["after the close", "depois do fechamento"],
};

export const gist: TellGist<StockQuoteData> = (data, { en, pt, fig, move, moment, name, word, opt, pick }) => {
  const { symbol, price, change_pct, spread_bps, session, halted } = data;
  const day_move = move(change_pct, "pct");
  const spread = fig(spread_bps, "bps");
  const when = halted ? pick("trading being halted", "com o negócio suspenso") : word(SESSIONS, session?.status);
  return {
    headline: { value: price, unit: "usd", sense: day_move ?? when },
    text:
      en`${name(symbol)} stood at ${fig(price, "usd")} on ${moment()}${opt(en`, ${day_move} from the last close`)}
        ${opt(en`, ${when}`)}${opt(en`, quoted ${spread} wide`)}` ??
      pt`${name(symbol)} estava em ${fig(price, "usd")} em ${moment()}${opt(pt`, ${day_move} ante o último
        fechamento`)}${opt(pt`, ${when}`)}${opt(pt`, cotada com ${spread} de diferença`)}`,
  };
};
