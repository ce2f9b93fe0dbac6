import type { TellGist } from "intel-node";
import type { SecFilingData } from "./schema.ts";

export const gist: TellGist<SecFilingData> = (data, { en, pt, say, fig, moment, name, opt, pick }) => {
  const { filings, filings_seen, window_hours } = data;
  const [first] = filings ?? [];
  const [seen, hours] = [fig(filings_seen, "count"), fig(window_hours, "count", { window: `${window_hours}h` })];
  if (!first) {
    return {
      headline: {
        value: filings_seen ?? null,
        unit: pick("filings read", "arquivos lidos"),
        sense: pick("none that moves", "nenhum que mova"),
      },
      text:
        en`Of ${seen} filings the ${name("SEC")} took in ${hours} hours to ${moment()} none is of the kind asked for` ??
        pt`De ${seen} arquivos que a ${name("SEC")} recebeu em ${hours} horas até ${moment()} nenhum do tipo pedido`,
    };
  }
  const code = first.items?.[0]?.code;
  return {
    headline: {
      value: first.score,
      unit: pick("of 100", "de 100"),
      sense: say`${name(first.ticker ?? first.company)}, ${first.form}`,
    },
    text:
      en`The heaviest of ${seen} filings in ${hours} hours is ${name(first.form)}${opt(en` item ${name(code)}`)} of
        ${name(
          first.ticker ?? first.company,
        )} on ${moment(first.accepted_at)}, weight ${fig(first.score, "index", { label: "heaviest filing" })} of
        ${name("100")}` ??
      pt`O mais pesado de ${seen} arquivos em ${hours} horas é ${name(first.form)}${opt(pt` item ${name(code)}`)} de
        ${name(
          first.ticker ?? first.company,
        )} em ${moment(first.accepted_at)}, peso ${fig(first.score, "index", { label: "mais" })} de ${name("100")}`,
  };
};
