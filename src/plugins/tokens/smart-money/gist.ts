import type { TellGist } from "intel-node";
import type { SmartMoneyData } from "./schema.ts";

export const gist: TellGist<SmartMoneyData> = (data, { en, pt, fig, share, day, name, opt, pick }) => {
  const [first] = data.wallets ?? [];
  const [buy] = data.accumulating ?? [];
  const net = fig(buy?.net_usd_24h, "usd", { large: true, window: "24h" });
  const least = share(first?.win_rate_lower95, { decimals: 0 });
  const [made, closed] = [fig(first?.realized_pnl_usd, "usd", { large: true }), fig(first?.closed_trades, "count")];
  return {
    headline: {
      value: first?.realized_pnl_usd ?? null,
      unit: "usd",
      sense: pick("made by the wallet ranked first", "ganhos pela primeira carteira"),
    },
    text:
      en`${name(first?.address)} on ${name(first?.chain)} made ${made} in ${closed} closed trades from
        ${day(data.window?.from)} to ${day(data.window?.to)}${opt(
          en`, wins in at least ${least}`,
        )}${opt(en`; such wallets bought ${net} of ${name(buy?.symbol) ?? name(buy?.token)} net in 24h`)}` ??
      pt`${name(first?.address)} na ${name(first?.chain)} fez ${made} em ${closed} negócios fechados de
        ${day(data.window?.from)} a ${day(data.window?.to)}${opt(
          pt`, acertos em pelo menos ${least}`,
        )}${opt(pt`; essas carteiras compraram ${net} líquidos de ${name(buy?.symbol) ?? name(buy?.token)} em 24h`)}`,
  };
};
