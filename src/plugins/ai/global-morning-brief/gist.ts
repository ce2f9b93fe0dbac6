import type { TellGist } from "intel-node";
import type { MorningData } from "./schema.ts";

export const gist: TellGist<MorningData> = (data, { en, pt, fig, moment, name, opt }) => {
  const { edition, facts, events, status } = data;
  const [first] = facts ?? [];
  const next = events?.find(({ importance }) => importance === "high") ?? events?.[0];
  const missing = status?.find((one) => one.status === "missing");
  return {
    headline: { value: first?.value ?? null, unit: first?.unit ?? null, sense: first?.label ?? null },
    text:
      en`The brief ${name(edition?.replaceAll("_", " "))} of ${moment()} is there${opt(
        en`, with ${name(first?.label)} at ${fig(first?.value, first?.unit ?? "number")}`,
      )}${opt(
        en`; next comes ${name(next?.title)} on ${moment(next?.time_utc)}`,
      )}${opt(en`; missing is ${name(missing?.id)}`)}` ??
      pt`O boletim ${name(edition?.replaceAll("_", " "))} de ${moment()} está pronto${opt(
        pt`, com ${name(first?.label)} em ${fig(first?.value, first?.unit ?? "number")}`,
      )}${opt(
        pt`; depois vem ${name(next?.title)} em ${moment(next?.time_utc)}`,
      )}${opt(pt`; falta ${name(missing?.id)}`)}`,
  };
};
