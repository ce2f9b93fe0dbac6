import type { TellGist } from "intel-node";
import type { WalletScanData } from "./schema.ts";

export const gist: TellGist<WalletScanData> = (data, { en, pt, fig, share, moment, name, opt, pick }) => {
  const { address, total_usd, priced_share_of_holdings, age_days, tx_count, risk_flags } = data;
  const priced = share(priced_share_of_holdings, { decimals: 0 });
  const [age, sent] = [
    fig(age_days, "number", { decimals: 0, window: `${Math.round(age_days ?? 0)}d` }),
    fig(tx_count, "count"),
  ];
  return {
    headline: {
      value: total_usd,
      unit: "usd",
      sense: risk_flags?.[0] ?? pick("held, no risk flag", "em carteira, sem alerta"),
    },
    text:
      en`${name(address)} holds ${fig(total_usd, "usd")} on ${moment()}${opt(en`, with ${priced} of its holdings
        priced`)}${opt(en`; it is ${age} days old`)}${opt(en` and has sent ${sent} transactions`)}` ??
      pt`${name(address)} tem ${fig(total_usd, "usd")} em ${moment()}${opt(pt`, com ${priced} dos ativos com preço`)}
        ${opt(pt`; existe há ${age} dias`)}${opt(pt` e enviou ${sent} transações`)}`,
  };
};
