import type { TellGist } from "intel-node";
import type { BrBriefData } from "./schema.ts";

const REGIMES: Readonly<Record<string, readonly [en: string, pt: string]>> = {
  reflation: ["reflation", "reflação"],
  goldilocks: ["growth with falling inflation", "crescimento com inflação em desaceleração"],
  stagflation: ["stagflation", "estagflação"],
  slowdown: ["slowdown", "desaceleração"],
};

export const gist: TellGist<BrBriefData> = (data, { en, pt, fig, day, name, word, opt, pick }) => {
  const state = word(REGIMES, data.regime?.name);
  const { macro, policy_gap } = data;
  const selic = macro?.selic?.target_pct ?? null;
  const gap = policy_gap?.[0];
  const apart = fig(gap?.gap_bps, "bps");
  return {
    headline: { value: selic, unit: "pct", sense: state ?? pick("Selic target", "meta da Selic") },
    text:
      en`${name("Brazil")} reads as ${state} on ${day()} with the ${name("Selic")} target at ${fig(selic, "pct")}${opt(
        en`; for the meeting of ${day(gap?.meeting_date ?? null)} futures and survey differ by ${apart}`,
      )}` ??
      pt`${name("Brasil")}: ${state} em ${day()} com a meta da ${name("Selic")} em ${fig(selic, "pct")}${opt(
        pt`; para a reunião de ${day(gap?.meeting_date ?? null)} futuros e pesquisa diferem em ${apart}`,
      )}`,
  };
};
