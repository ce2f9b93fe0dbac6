/** The part of a document that tells an operator what to set. Buyers never read it. */
const FOR_OPERATORS = "## For operators\n";

/** A document as buyers read it, in Markdown: without what only its operator can do. */
export const readForBuyers = (text: string): string =>
  text
    .split(/^(?=## )/m)
    .filter((section) => !section.startsWith(FOR_OPERATORS))
    .join("")
    .trimEnd();
