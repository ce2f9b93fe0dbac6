/** Names of this desk's codes in sentences: English, Portuguese. */
type WordTable = Readonly<Record<string, readonly [en: string, pt: string]>>;

export const REGIME_WORDS: WordTable = {
  bull: ["rising", "de alta"],
  bear: ["falling", "de baixa"],
  chop: ["sideways", "lateral"],
};

export const LEANING_WORDS: WordTable = {
  very_bullish: ["very bullish", "muito otimista"],
  bullish: ["bullish", "otimista"],
  neutral: ["neutral", "neutro"],
  bearish: ["bearish", "pessimista"],
  very_bearish: ["very bearish", "muito pessimista"],
  mixed: ["mixed", "dividido"],
  insufficient: ["undecided", "indefinido"],
};

export const SIDE_WORDS: WordTable = {
  long: ["long", "de compra"],
  short: ["short", "de venda"],
};

/** The worth of a record of graded signals. */
export const RECORD_WORDS: WordTable = {
  sample_too_small: ["too few to judge", "poucos para julgar"],
  worse_than_a_coin: ["worse than a coin", "pior que uma moeda"],
  not_told_apart_from_a_coin: ["no better than a coin", "não é melhor que uma moeda"],
};
