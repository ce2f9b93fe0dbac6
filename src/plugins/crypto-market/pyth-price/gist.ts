import type { TellGist } from "intel-node";
import type { PythPriceData } from "./schema.ts";

export const gist: TellGist<PythPriceData> = (data, { en, pt, fig, moment, name, opt, pick }) => {
  const { symbol, price, conf_bps, deviation_bps, publish_time_at, stale } = data;
  const off = fig(deviation_bps, "bps");
  const wide = fig(conf_bps, "bps");
  return {
    headline: {
      value: price,
      unit: "usd",
      sense: stale ? pick("stale", "desatualizado") : pick("fresh", "atual"),
    },
    text:
      en`${name("Pyth")} priced ${name(symbol)} at ${fig(price, "usd")} on ${moment(publish_time_at)}, give or take
        ${wide}${opt(en`, ${off} off the venues`)}` ??
      pt`${name("Pyth")} cotou ${name(symbol)} em ${fig(price, "usd")} em ${moment(publish_time_at)}, com margem de
        ${wide}${opt(pt`, a ${off} das praças`)}`,
  };
};
