import type { TellGist } from "intel-node";
import type { EquityData } from "./schema.ts";

export const gist: TellGist<EquityData> = (data, { en, pt, fig, move, day, name, opt, pick }) => {
  const { symbol, close, unit, change_pct, trade_date, history_days, drawdown_pct } = data;
  const shown =
    unit === "BRL" ? fig(close, "brl") : (en`${fig(close, "index")} points` ?? pt`${fig(close, "index")} pontos`);
  const day_move = move(change_pct, "pct");
  const below = fig(drawdown_pct, "pct", { label: "high" });
  const days = fig(history_days, "days");
  return {
    headline: {
      value: close,
      unit: unit === "BRL" ? "brl" : pick("points", "pontos"),
      sense: day_move ?? symbol,
    },
    text:
      en`${name(symbol)} closed at ${shown} on ${day(trade_date)}${opt(en`, ${day_move} on the day`)}${opt(
        en`, ${below} from its top of ${days} days of trading`,
      )}` ??
      pt`${name(symbol)} fechou em ${shown} em ${day(trade_date)}${opt(pt`, ${day_move} no dia`)}${opt(
        pt`, ${below} desde o topo de ${days} pregões`,
      )}`,
  };
};
