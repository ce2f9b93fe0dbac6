/** Why a figure of a token is missing that any of several sources could have given. */
export const NO_SOURCE = "no source says";

/** Names of this desk's codes in sentences: English, Portuguese. */
type WordTable = Readonly<Record<string, readonly [en: string, pt: string]>>;

/** Verdicts keep their word: programs that act on them compare it. */
export const RISK_LEVEL_WORDS: WordTable = {
  low: ["low", "baixo"],
  moderate: ["moderate", "moderado"],
  medium: ["medium", "médio"],
  high: ["high", "alto"],
  critical: ["critical", "crítico"],
  unknown: ["unknown", "desconhecido"],
};

export const INSIDER_WORDS: WordTable = {
  severe: ["severe", "severa"],
  elevated: ["elevated", "elevada"],
  present: ["present", "presente"],
  none_seen: ["none seen", "não vista"],
  unknown: ["unknown", "desconhecida"],
};

export const TRANSFER_WORDS: WordTable = {
  exchange_inflow: ["into an exchange", "para uma exchange"],
  exchange_outflow: ["out of an exchange", "saindo de uma exchange"],
  exchange_internal: ["within exchanges", "entre exchanges"],
  mint: ["newly issued", "recém-emitida"],
  burn: ["burnt", "queimada"],
  trade: ["a trade", "uma negociação"],
};
