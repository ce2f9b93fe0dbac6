import type { TellGist } from "intel-node";
import type { ArbitrageData } from "./schema.ts";

export const gist: TellGist<ArbitrageData> = (data, { en, pt, fig, moment, name, pick, opt }) => {
  const { pair, sizes, executable, max_gross_bps } = data;
  const [size] = sizes ?? [];
  const best = size?.best ?? null;
  const between =
    en`, from ${name(best?.buy_venue)} to ${name(best?.sell_venue)} with ${fig(size?.notional_usd, "usd")}` ??
    pt`, de ${name(best?.buy_venue)} para ${name(best?.sell_venue)} com ${fig(size?.notional_usd, "usd")}`;
  const verdict = executable ? pick("pays", "compensa") : pick("does not pay", "não compensa");
  const net = fig(best?.net_bps, "bps");
  return {
    headline: { value: best?.net_bps ?? max_gross_bps, unit: "bps", sense: verdict },
    text:
      en`Arbitrage in ${name(pair)} ${verdict} on ${moment()}: ${net} after fees${opt(between)}` ??
      pt`Arbitragem em ${name(pair)} ${verdict} em ${moment()}: ${net} depois das taxas${opt(between)}`,
  };
};
