/** Names of this desk's codes in sentences: English, Portuguese. */
type WordTable = Readonly<Record<string, readonly [en: string, pt: string]>>;

export const VOTE_WORDS: WordTable = {
  bullish: ["bullish", "otimista"],
  neutral: ["neutral", "neutro"],
  bearish: ["bearish", "pessimista"],
  split: ["split", "dividido"],
  no_quorum: ["without a quorum", "sem quórum"],
};

export const DIRECTION_WORDS: WordTable = {
  long: ["long", "de compra"],
  short: ["short", "de venda"],
};
