import type { HeadlineFigure } from "./data-view.ts";

/** The newest free figure of a product. */
export interface RowFacts {
  /** What the figure is of, in a few words; "" where that is no one thing. */
  readonly subject: string;
  /** Whether the figure is of some parameters of several. */
  readonly has_params: boolean;
  readonly figure: HeadlineFigure | null;
  /** How old its data is, s. */
  readonly age_s: number;
  /** The first line of its first chart, oldest first; empty without one. */
  readonly line: readonly number[];
  /** What that line is of. */
  readonly line_title: string;
}
