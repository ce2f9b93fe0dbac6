import type { TellGist } from "intel-node";
import { tellKnown } from "../judge/known.ts";
import type { TokenIntelData } from "./schema.ts";

export const gist: TellGist<TokenIntelData> = (data, teller) => {
  const { en, pt, fig, moment, name, opt, pick } = teller;
  const { token, markets, safety } = data;
  const what = name(token?.symbol) ?? name(token?.address);
  const depth = fig(markets?.liquidity_usd, "usd", { large: true });
  const risk = fig(safety?.risk, "index", { decimals: 0 });
  const known = tellKnown(safety, teller);
  return {
    headline: {
      value: markets?.price_usd ?? safety?.risk ?? null,
      unit: markets?.price_usd == null ? pick("of 100, risk", "de 100, risco") : "usd",
      sense: en`risk ${risk} of 100` ?? pt`risco ${risk} de 100` ?? token?.symbol ?? null,
    },
    text:
      en`${what} on ${name(token?.chain)} stood at ${fig(markets?.price_usd, "usd")} on ${moment()}${opt(en` with
        ${depth} in its pools`)}${opt(en`; risk ${risk} of ${name("100")}`)}${opt(en`, ${known}`)}` ??
      pt`${what} na ${name(token?.chain)} estava em ${fig(markets?.price_usd, "usd")} em ${moment()}${opt(pt` com
        ${depth} nos pools`)}${opt(pt`; risco ${risk} de ${name("100")}`)}${opt(pt`, ${known}`)}`,
  };
};
