import type { TellGist } from "intel-node";
import { tellKnown } from "../judge/known.ts";
import type { LaunchRiskData } from "./schema.ts";

export const gist: TellGist<LaunchRiskData> = (data, teller) => {
  const { en, pt, say, fig, share, moment, name, opt, pick } = teller;
  const [first] = data.items ?? [];
  const what = name(first?.token?.symbol) ?? name(first?.token?.address);
  const { n, avoid_share_24h } = data.base_rates ?? {};
  const known = tellKnown(first, teller);
  const [judged, avoided] = [fig(n, "count", { window: "24h" }), share(avoid_share_24h, { decimals: 0 })];
  return {
    headline: {
      value: first?.risk ?? avoid_share_24h ?? null,
      unit: first ? pick("of 100, risk", "de 100, risco") : "ratio",
      sense: first ? say`${first.verdict}: ${what}` : pick("of launches to avoid", "dos lançamentos a evitar"),
    },
    text:
      en`${what} on ${name(first?.token?.chain)} is ${name(first?.verdict)} on ${moment(first?.assessed_at)}, risk
        ${fig(first?.risk, "index", { decimals: 0 })} of ${name("100")}${opt(
          en` with ${known}`,
        )}${opt(en`; of ${judged} launches of 24h ${avoided} were to avoid`)}` ??
      pt`${what} na ${name(first?.token?.chain)} é ${name(first?.verdict)} em ${moment(first?.assessed_at)}, risco
        ${fig(first?.risk, "index", { decimals: 0 })} de ${name("100")}${opt(
          pt` com ${known}`,
        )}${opt(pt`; de ${judged} lançamentos de 24h ${avoided} eram a evitar`)}`,
  };
};
