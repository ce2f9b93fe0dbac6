import type { TellGist } from "intel-node";
import type { MempoolData } from "./schema.ts";

const STATES: Readonly<Record<string, readonly [en: string, pt: string]>> = {
  idle: ["idle", "ociosa"],
  normal: ["normal", "normal"],
  busy: ["busy", "cheia"],
  congested: ["congested", "congestionada"],
};

export const gist: TellGist<MempoolData> = (data, { en, pt, fig, moment, name, word, opt, pick }) => {
  const { btc, ethereum } = data;
  const fastest = btc?.fees_sat_vb?.fastest ?? null;
  const state = word(STATES, btc?.backlog?.state);
  const gas = fig(ethereum?.base_fee_gwei, "number");
  const fee = fig(fastest, "number", { decimals: 1 });
  return {
    headline: {
      value: fastest,
      unit: "sat/vB",
      sense: state ?? pick("next block of Bitcoin", "próximo bloco do Bitcoin"),
    },
    text:
      en`${name("Bitcoin")} asks ${fee} ${name("sat/vB")} for the next block on ${moment()}${opt(
        en`, its queue being ${state}`,
      )}${opt(en`; the base fee of ${name("Ethereum")} is ${gas} gwei`)}` ??
      pt`${name("Bitcoin")} pede ${fee} ${name("sat/vB")} para o próximo bloco em ${moment()}${opt(
        pt`, com a fila ${state}`,
      )}${opt(pt`; a taxa base da ${name("Ethereum")} é ${gas} gwei`)}`,
  };
};
