import type { TellGist } from "intel-node";
import type { LaunchSniperData } from "./schema.ts";

export const gist: TellGist<LaunchSniperData> = (data, { en, pt, fig, moment, name, opt, pick }) => {
  const { candidates, launched, scanned, rejected_counts } = data;
  const [first] = candidates ?? [];
  const [judged, failed] = [fig(scanned, "count"), fig(rejected_counts?.hard_fail, "count")];
  const what = name(first?.token?.symbol) ?? name(first?.token?.address);
  const verdict =
    first === undefined
      ? pick("no launch passed every gate", "nenhum lançamento passou por todos os filtros")
      : (en`${what} passed every gate` ?? pt`${what} passou por todos os filtros`);
  return {
    headline: {
      value: launched ?? null,
      unit: pick("launches", "lançamentos"),
      sense: pick(first ? "some passed" : "none passed", first ? "algum passou" : "nenhum passou"),
    },
    text:
      en`Of ${fig(launched, "count")} ${name("launches")} to ${moment()} ${verdict}: ${judged} were judged${opt(en`
        and ${failed} failed outright`)}` ??
      pt`De ${fig(launched, "count")} ${name("lançamentos")} até ${moment()} ${verdict}: ${judged} foram julgados
        ${opt(pt` e ${failed} reprovados de saída`)}`,
  };
};
