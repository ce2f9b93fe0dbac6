import type { TellGist } from "intel-node";
import type { DefiYieldData } from "./schema.ts";

export const gist: TellGist<DefiYieldData> = (data, { en, pt, say, fig, moment, name, opt, pick }) => {
  const [first] = data.pools ?? [];
  const { median_apy_pct } = data.summary ?? {};
  const considered = fig(data.pools_considered, "count");
  const median = fig(median_apy_pct, "pct");
  const locked = fig(first?.locked_usd, "usd", { large: true });
  return {
    headline: {
      value: first?.total_pct ?? median_apy_pct ?? null,
      unit: "pct",
      sense: first ? say`${first.project} ${first.symbol}, ${first.chain}` : pick("median yield", "rendimento mediano"),
    },
    text:
      en`${name(first?.symbol)} at ${name(first?.project)} on ${name(first?.chain)} earned
        ${fig(first?.total_pct, "pct")} a year on ${moment(first?.block_at)}${opt(
          en` with ${locked} in it`,
        )}${opt(en`; the median of ${considered} pools is ${median}`)}` ??
      pt`${name(first?.symbol)} na ${name(first?.project)} na ${name(first?.chain)} rendia
        ${fig(first?.total_pct, "pct")} ao ano em ${moment(first?.block_at)}${opt(
          pt` com ${locked} aplicados`,
        )}${opt(pt`; a mediana de ${considered} pools é ${median}`)}`,
  };
};
