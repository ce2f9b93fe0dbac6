/** The rules a text may be refused for. */
export type ViolationRule =
  /** A figure that no fact of the pack has. */
  | "not_in_facts"
  /** A figure of the pack that the block does not cite. */
  | "wrong_citation"
  | "unknown_fact"
  | "unknown_source"
  /** "rose" beside a negative change, "above" between a smaller and a larger figure. */
  | "direction_mismatch"
  | "wrong_comparison"
  /** A direction that no cited change has. */
  | "direction_unfounded"
  /** A negative figure without sign and without a word for it. */
  | "missing_sign"
  /** A figure of another subject, or of another stretch of time. */
  | "wrong_subject"
  | "wrong_window"
  | "unknown_window"
  | "unknown_date"
  | "spelled_number"
  /** "halved", "a third of": no cited fact has that value. */
  | "quantity_word"
  /** "record", "highest": no cited fact is such an extreme. */
  | "unfounded_extreme"
  | "unknown_name"
  | "unknown_quote"
  /** A causal word in a block without sources. */
  | "uncited_cause"
  | "advice"
  /** A model's block that shows no fact, or that reads like an instruction to a model. */
  | "ungrounded"
  /** A model's sentence about something that it was not given. */
  | "off_topic"
  | "instruction"
  /** Links, markup, code. */
  | "form"
  | "wrong_language"
  | "too_long"
  | "empty";

export interface Violation {
  readonly rule: ViolationRule;
  /** The offending words. */
  readonly text: string;
}
