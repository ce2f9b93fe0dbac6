import { readForBuyers } from "../../surfaces/for-buyers.ts";

/** A part of a product's methodology, with its own heading. */
export interface MethodSection {
  readonly heading: string;
  /** Markdown without the heading. */
  readonly text: string;
}

export interface MethodText {
  /** The text before the first heading. */
  readonly lead: string;
  readonly sections: readonly MethodSection[];
  /** Lines of its worked example. */
  readonly formulas: readonly string[];
}

const WORKED_EXAMPLE = "Worked example";
const FORMULAS = /^```formula\n([\s\S]*?)^```$/m;

/** Splits a document into its parts. */
export function readMethod(text: string): MethodText {
  const [first = "", ...rest] = readForBuyers(text).split(/^(?=## )/m);
  const sections = rest.map((section) => {
    const end = section.indexOf("\n");
    return { heading: section.slice("## ".length, end).trim(), text: section.slice(end + 1).trim() };
  });
  const example = sections.find(({ heading }) => heading === WORKED_EXAMPLE)?.text ?? "";
  const lines = FORMULAS.exec(example)?.[1] ?? "";
  return {
    lead: first.replace(/^# .*\n/, "").trim(),
    sections: sections.filter(({ heading }) => heading !== WORKED_EXAMPLE),
    formulas: lines.split("\n").filter((line) => line.trim() !== ""),
  };
}
