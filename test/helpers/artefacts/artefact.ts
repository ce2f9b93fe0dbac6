/** Something a node hands out as proof, with who checks it and how it is forged. */
export interface Artefact {
  readonly kind: string;
  /** A genuine one, and another of the same kind to splice from. */
  readonly make: () => Promise<readonly [genuine: unknown, other: unknown]>;
  /** What a check says of the genuine one; nothing else may be said of it. */
  readonly check: (given: unknown) => Promise<readonly string[]>;
  readonly judge: (edited: unknown, genuine: unknown) => Promise<Judgement>;
  readonly targeted: readonly Edit[];
  /** Its part of the random edits: large ones take long to check. */
  readonly share: number;
}

export interface Judgement {
  /** Whether it says something that was never signed, found by comparing with what was. */
  readonly is_forged: boolean;
  /** Checks under which it passes all the same; none where the proof holds. */
  readonly passed: readonly string[];
}

// biome-ignore lint/suspicious/noExplicitAny: forgeries change whatever they like.
export type Loose = any;

/** One forgery. It may change the copy it is given, or give back another value. */
export interface Edit {
  readonly name: string;
  readonly edit: (copy: Loose, other: Loose) => unknown;
}

export const editCopy = ({ edit }: Edit, genuine: unknown, other: unknown): unknown => {
  const copy = structuredClone(genuine);
  return edit(copy, structuredClone(other)) ?? copy;
};
