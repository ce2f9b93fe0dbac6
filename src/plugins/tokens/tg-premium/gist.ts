import type { TellGist } from "intel-node";
import type { TgPremiumData } from "./schema.ts";

export const gist: TellGist<TgPremiumData> = (data, { en, pt, fig, moment, name, opt, pick }) => {
  const [first] = data.messages ?? [];
  const chars = fig(first?.char_count, "count");
  const missing = name(data.sections_missing?.join(", "));
  return {
    headline: {
      value: first?.section ?? null,
      unit: null,
      sense: pick("alert ready to post", "alerta pronto para publicar"),
    },
    text:
      en`${name("Telegram")} alert on ${name(first?.section)} of ${moment(first?.as_of)} is ready, ${chars} characters
        ${opt(en`; without fresh data: ${missing}`)}` ??
      pt`Alerta para ${name("Telegram")} sobre ${name(first?.section)} de ${moment(first?.as_of)} pronto, ${chars}
        caracteres${opt(pt`; sem dados novos: ${missing}`)}`,
  };
};
