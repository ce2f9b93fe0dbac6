import type { SoldElsewhere } from "intel-node";
import { MARKETS, splitSymbol } from "./markets.ts";

/** Shares of Brazil have four letters and a number. */
export const B3_TICKER: SoldElsewhere = {
  param: "symbol",
  form: /^[A-Z]{4}\d{1,2}(?:\.SA)?$/i,
  path: "/br-equity",
  send: (value) => ({ symbol: value.toUpperCase().replace(/\.SA$/, "") }),
  what: {
    en: "That is how a share at B3, in Brazil, is written.",
    pt: "É assim que se escreve uma ação da B3, no Brasil.",
  },
};

/** The exchange itself. */
export const B3_MARKET: SoldElsewhere = {
  param: "market",
  form: /^(?:brazil|brasil|br|b3|bvmf|bovespa|sa)$/i,
  path: "/br-equity",
  send: () => ({ symbol: "PETR4" }),
  what: { en: "B3, in Brazil, has its own product.", pt: "A B3, no Brasil, tem um produto próprio." },
};

const SUFFIXES = MARKETS.flatMap(({ suffixes }) => suffixes).map((suffix) => suffix.slice(1));

/** Shares of other markets end in the suffix of theirs. */
export const WORLD_TICKER: SoldElsewhere = {
  param: "symbol",
  form: new RegExp(`\\.(?:${SUFFIXES.join("|")})$`, "i"),
  path: "/world-quote",
  send(value) {
    const { local, market } = splitSymbol(value);
    return { market: market?.code ?? "", symbol: local };
  },
  what: {
    en: "That is how a share of a market outside the US is written.",
    pt: "É assim que se escreve uma ação de um mercado fora dos EUA.",
  },
};
