import type { TellGist } from "intel-node";
import type { PumpMonitorData } from "./schema.ts";

export const gist: TellGist<PumpMonitorData> = (data, { en, pt, fig, share, moment, name, opt, pick }) => {
  const { graduation_rate_24h, creates_24h, migrations_24h, near_graduation } = data;
  const [next] = near_graduation ?? [];
  const [launched, moved] = [
    fig(creates_24h, "count", { window: "24h" }),
    fig(migrations_24h, "count", { window: "24h" }),
  ];
  const near = fig(next?.progress_pct, "pct", { decimals: 0 });
  return {
    headline: {
      value: graduation_rate_24h ?? creates_24h,
      unit: graduation_rate_24h == null ? pick("launches", "lançamentos") : "ratio",
      sense: pick("of launches graduate", "dos lançamentos graduam"),
    },
    text:
      en`Of ${launched} launches at ${name("Pump")} in 24h ${moved} graduated, ${share(graduation_rate_24h)}, by
        ${moment()}${opt(en`; ${name(next?.symbol) ?? name(next?.mint)} is the nearest at ${near}`)}` ??
      pt`De ${launched} lançamentos na ${name("Pump")} em 24h ${moved} graduaram, ${share(graduation_rate_24h)}, até
        ${moment()}${opt(pt`; ${name(next?.symbol) ?? name(next?.mint)} está perto com ${near}`)}`,
  };
};
