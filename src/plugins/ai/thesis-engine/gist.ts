import type { TellGist } from "intel-node";
import { DIRECTION_WORDS } from "../written/words.ts";
import type { ThesisData } from "./schema.ts";

export const gist: TellGist<ThesisData> = (data, { en, pt, say, fig, share, day, name, word, opt, pick }) => {
  const { asset, direction, strength, emitted_at, base_rate, invalidation } = data;
  const side = word(DIRECTION_WORDS, direction);
  const [n, rate] = [fig(base_rate?.n, "count"), share(base_rate?.hit_rate)];
  const limit = fig(invalidation?.price, "usd");
  return {
    headline: { value: strength, unit: pick("of 100", "de 100"), sense: say`${asset}: ${side}` ?? asset },
    text:
      en`The thesis of ${day(emitted_at)} is ${side} ${name(asset)}, strength ${fig(strength, "index")} of
        ${name("100")}${opt(en`, refuted at ${limit}`)}${opt(en`; of ${n} such cases ${rate} came true`)}` ??
      pt`A tese de ${day(emitted_at)} é ${side} em ${name(asset)}, força ${fig(strength, "index")} de ${name("100")}
        ${opt(pt`, refutada em ${limit}`)}${opt(pt`; de ${n} casos assim ${rate} se confirmaram`)}`,
  };
};
