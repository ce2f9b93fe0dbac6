/** How many rows an answer lists. */
export interface Listed {
  readonly n: number;
  /** "candidates". */
  readonly of: string;
}

/** The same, as of when. */
export interface ListedAt extends Listed {
  readonly as_of_ms: number;
}
