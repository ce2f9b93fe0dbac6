/** One name of a list; an entity may have several. */
export interface ListedName {
  /** Whose name it is. */
  readonly id: string;
  readonly name: string;
  /** A weak alias is one that many others have too; it matches only as it stands. */
  readonly kind: "primary" | "alias" | "weak";
}

/** Two words that were taken for the same. */
export interface AlignedWords {
  readonly query: string;
  readonly listed: string;
  /** From 0 to 1. */
  readonly similarity: number;
}

/** A listed name that resembles the one asked for. */
export interface NameMatch {
  readonly listed: ListedName;
  /** From 0 to 1. */
  readonly score: number;
  /** exact: the same words in any order; strong: at least 0.95 with two words aligned; possible: the rest. */
  readonly band: "exact" | "strong" | "possible";
  readonly aligned: readonly AlignedWords[];
}

export interface FindNameOptions {
  /** 0.82 when left out; it can only be raised. */
  readonly threshold?: number;
  /** How many are returned, the best first; 20 when left out. */
  readonly limit?: number;
}

/** Names that can be searched by how they are spelled. */
export interface NameIndex {
  /** How many names it holds. */
  readonly size: number;
  find(query: string, options?: FindNameOptions): readonly NameMatch[];
}
