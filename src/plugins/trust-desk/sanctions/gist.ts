import type { TellGist } from "intel-node";
import type { SanctionsData } from "./schema.ts";

const VERDICTS: Readonly<Record<string, readonly [en: string, pt: string]>> = {
  hit: ["is a hit", "consta"],
  possible: ["is a possible match", "é uma correspondência possível"],
  clear: ["is in no list that was read", "não consta em nenhuma lista lida"],
  incomplete: ["could not be screened whole", "não pôde ser verificado por inteiro"],
};

export const gist: TellGist<SanctionsData> = (data, { en, pt, fig, moment, name, word, opt, pick }) => {
  const { query, verdict, matches, lists, threshold } = data;
  const [match] = matches ?? [];
  const stale = lists?.find(({ fresh }) => !fresh);
  const rows = fig(lists?.[0]?.rows, "count");
  const score = fig(match?.score, "ratio");
  const what = name(query) ?? name(pick("the query", "a consulta"));
  return {
    headline: {
      value: match?.score ?? threshold ?? null,
      unit: match ? pick("of 1, likeness", "de 1, semelhança") : pick("of 1, threshold", "de 1, limite"),
      sense: verdict ?? null,
    },
    text:
      en`${what} ${word(VERDICTS, verdict)} on ${moment()}${opt(en`, in ${name(match?.list)} with a likeness of
        ${score}`)}${opt(
        en`; ${name(lists?.[0]?.id)} has ${rows} rows`,
      )}${opt(en`, and ${name(stale?.id)} is not fresh`)}` ??
      pt`${what} ${word(VERDICTS, verdict)} em ${moment()}${opt(pt`, em ${name(match?.list)} com semelhança de
        ${score}`)}${opt(
        pt`; ${name(lists?.[0]?.id)} tem ${rows} linhas`,
      )}${opt(pt`, e ${name(stale?.id)} não está em dia`)}`,
  };
};
