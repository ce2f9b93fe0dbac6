import type { TellGist } from "intel-node";
import type { WhaleDossierData } from "./schema.ts";

export const gist: TellGist<WhaleDossierData> = (data, { en, pt, fig, moment, name, opt, pick }) => {
  const [first] = data.subjects ?? [];
  const moved = fig(first?.why_selected?.gross_usd_24h, "usd", { large: true, window: "24h" });
  const net = fig(first?.why_selected?.net_usd_24h, "usd", { large: true, window: "24h" });
  return {
    headline: {
      value: first?.why_selected?.gross_usd_24h ?? null,
      unit: "usd",
      sense: pick("moved in 24h by one wallet", "movidos em 24h por uma carteira"),
    },
    text:
      en`${name(first?.address)} on ${name(first?.chain)} moved ${moved} in 24h to ${moment()}${opt(en`, net ${net}`)}
        ${opt(en`; its audit reads ${name(first?.audit?.verdict)}`)}` ??
      pt`${name(first?.address)} na ${name(first?.chain)} moveu ${moved} em 24h até ${moment()}${opt(pt`, líquido
        ${net}`)}${opt(pt`; a auditoria diz ${name(first?.audit?.verdict)}`)}`,
  };
};
