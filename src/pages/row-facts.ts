import type { HeadlineFigure } from "./data-view.ts";

/** The newest free figure of a product. */
export interface RowFacts {
  /** Subject of the figure, in a few words; "" if it has no single subject. */
  readonly subject: string;
  /** Whether the figure depends on parameters that may have other values. */
  readonly has_params: boolean;
  readonly figure: HeadlineFigure | null;
  /** Age of its data, s. */
  readonly age_s: number;
  /** The first line of its first chart, oldest first; empty without one. */
  readonly line: readonly number[];
  /** Subject of that line. */
  readonly line_title: string;
}
