import type { TellGist } from "intel-node";
import type { BundleData } from "./schema.ts";

const SIGNALS: Readonly<Record<string, readonly [en: string, pt: string]>> = {
  bullish: ["bullish", "otimista"],
  neutral: ["neutral", "neutro"],
  bearish: ["bearish", "pessimista"],
};

/** What several products say together. */
export const tellBundle: TellGist<Pick<BundleData, "combined" | "saving_pct">> = (data, teller) => {
  const { en, pt, fig, share, day, name, word, opt, pick } = teller;
  const { combined, saving_pct } = data;
  const signals = combined?.signals ?? [];
  const told = [...new Set(signals.flatMap(({ signal }) => word(SIGNALS, signal) ?? []))].join(", ");
  const agreed = share(combined?.agreement, { decimals: 0 });
  const saved = fig(saving_pct, "pct", { decimals: 0 });
  return {
    headline: {
      value: combined?.agreement ?? saving_pct ?? null,
      unit: combined?.agreement == null ? "pct" : "ratio",
      sense: pick("agreement", "concordância"),
    },
    text:
      en`${name("The products together")} read ${told === "" ? name("no direction") : told} on ${day()}:
        ${fig(combined?.directional, "count")} of them point somewhere${opt(
          en` and agree by ${agreed}`,
        )}${opt(en`, for ${saved} less than each alone`)}` ??
      pt`${name("Os produtos juntos")} dizem ${told === "" ? name("sem direção") : told} em ${day()}:
        ${fig(combined?.directional, "count")} deles apontam para um lado${opt(
          pt` e concordam em ${agreed}`,
        )}${opt(pt`, por ${saved} menos que cada um`)}`,
  };
};
