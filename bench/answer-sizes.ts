import { join } from "node:path";
import { measureAnswers } from "../test/helpers/answer-sizes.ts";
import { writeSection } from "./report.ts";

/** What an answer costs the model that reads it: `bun bench/answer-sizes.ts` puts it into docs/performance.md. */
const sizes = await measureAnswers();
const rows = [...sizes].sort((a, b) => (b.tokens ?? 0) - (a.tokens ?? 0));
const lines = [
  "Whole answers to calls without parameters in the sandbox, sources included, in tokens of o200k_base.",
  "",
  "| product | tokens | characters |",
  "| --- | --- | --- |",
  ...rows.map(({ path, tokens, chars, code }) => `| \`${path}\` | ${tokens ?? code} | ${chars ?? ""} |`),
];
writeSection(join(import.meta.dir, "..", "docs", "performance.md"), "## Size of answers", lines.join("\n"));
