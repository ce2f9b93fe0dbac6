import type { TellGist } from "intel-node";
import type { SwarmVoteData } from "./schema.ts";

const VERDICTS: Readonly<Record<string, readonly [en: string, pt: string]>> = {
  long: ["long", "de compra"],
  short: ["short", "de venda"],
  split: ["split", "dividido"],
  no_quorum: ["no quorum", "sem quórum"],
};

export const gist: TellGist<SwarmVoteData> = (data, { en, pt, say, fig, day, name, word }) => {
  const [row] = data.rows ?? [];
  const verdict = word(VERDICTS, row?.verdict);
  const [up, down, none] = [row?.n_long, row?.n_short, row?.n_abstain].map((one) => fig(one, "count"));
  return {
    headline: {
      value: row?.result ?? row?.n_long ?? null,
      unit: "index",
      sense: say`${row?.symbol}: ${verdict}`,
    },
    text:
      en`The vote on ${name(row?.symbol)} of ${day(data.bar_close_at)} is ${verdict}: ${up} rules long, ${down} short
        and ${none} abstain` ??
      pt`O voto sobre ${name(row?.symbol)} de ${day(data.bar_close_at)} é ${verdict}: ${up} regras de compra, ${down}
        de venda e ${none} se abstêm`,
  };
};
