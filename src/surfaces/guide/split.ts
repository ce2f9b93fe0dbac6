/** A heading of a page, by the anchor it has there. */
export interface Heading {
  readonly id: string;
  readonly text: string;
}

/** A part of a document under one heading; the first has no heading. */
export interface GuideSection {
  readonly heading: string;
  readonly text: string;
}

const FENCE = /^\s*```/;

/** Lines of a text outside of code, each with its place. */
function* proseLines(text: string): Generator<readonly [line: string, at: number]> {
  let is_code = false;
  for (const [at, line] of text.split("\n").entries()) {
    if (FENCE.test(line)) is_code = !is_code;
    else if (!is_code) yield [line, at];
  }
}

/** The anchor of a heading as GitHub makes it, so that links of the documents lead there too. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");

const plain = (heading: string): string => heading.replaceAll(/[`*]/g, "").trim();

/** A document by its headings of one level; its title is left out. */
export function splitSections(text: string, level = 2): readonly GuideSection[] {
  const lines = text.split("\n");
  const mark = `${"#".repeat(level)} `;
  const starts = [...proseLines(text)].filter(([line]) => line.startsWith(mark)).map(([, at]) => at);
  const title = [...proseLines(text)].find(([line]) => line.startsWith("# "))?.[1] ?? -1;
  const bounds = [...starts, lines.length];
  const head = {
    heading: "",
    text: lines
      .slice(title + 1, bounds[0])
      .join("\n")
      .trim(),
  };
  return [
    head,
    ...starts.map((start, index) => ({
      heading: plain((lines[start] ?? "").slice(mark.length)),
      text: lines
        .slice(start + 1, bounds[index + 1])
        .join("\n")
        .trim(),
    })),
  ];
}

/** Headings of level 2 and 3, in their order. */
export const listHeadings = (text: string): readonly Heading[] =>
  [...proseLines(text)].flatMap(([line]) => {
    const found = /^###? (.*)$/.exec(line)?.[1];
    return found === undefined ? [] : [{ id: anchorOf(found), text: plain(found) }];
  });

export const titleOf = (text: string): string => plain(/^# (.*)$/m.exec(text)?.[1] ?? "");

/** The first sentence of a text, without marks: what a page is about. */
export function firstSentence(text: string): string {
  const blocks = text.split(/\n\s*\n/);
  const found = blocks.find((one) => /^[\p{L}\p{N}`*[]/u.test(one)) ?? blocks[0]?.split(/\n- /)[0] ?? "";
  // A table has no sentence.
  const paragraph = found.startsWith("|") ? "" : found;
  const told = paragraph
    .replace(/^- /, "")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/[`*]/g, "");
  return /^.*?[.:](?=\s|$)/.exec(told)?.[0].replace(/:$/, ".") ?? told;
}
