import { expect, test } from "bun:test";
import { listProjectFiles, readFiles } from "./helpers/source-files.ts";

/** Turns that a reader has to read twice. "There is none" is fine where the noun is close. */
const TURNS = /(?<!there )\b(?:is|are) none\b|\bhears\b|\bwhoever\b|\bstands? in (?:a|an|the|for)\b|\bis nobody\b/i;

/** Documents for readers, and READMEs and comments of products. Generated documents follow sources elsewhere. */
const DOCUMENTS = /^(?:README\.md|docs\/(?:[^/]+|operator\/[^/]+|buyers\/[^/]+|adr\/[^/]+)\.md|src\/plugins\/.+\.md)$/;
const GENERATED = new Set(["docs/architecture.md", "docs/fields.md", "docs/plugin-api.md"]);

const isComment = (line: string): boolean => /^\s*(?:\/\/|\/?\*)/.test(line);

function listHits(path: string, text: string): readonly string[] {
  const lines = text.split("\n");
  const read = path.endsWith(".md") ? lines : lines.filter(isComment);
  return read.filter((line) => TURNS.test(line)).map((line) => `${path}: ${line.trim()}`);
}

test("documents, and comments of products, are free of turns that have to be read twice", () => {
  const paths = listProjectFiles().filter(
    (path) => (DOCUMENTS.test(path) && !GENERATED.has(path)) || /^src\/plugins\/.+\.ts$/.test(path),
  );
  expect(paths).toContain("docs/agent.md");
  expect([...readFiles(paths)].flatMap(([path, text]) => listHits(path, text))).toEqual([]);
});

test("a turn is found in a comment and in a document, and not in code", () => {
  expect(listHits("a.ts", "// What is shown is none.\nconst whoever = 1;")).toHaveLength(1);
  expect(listHits("a.md", "Whoever asks hears it.")).toHaveLength(1);
});
