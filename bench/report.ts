import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A report may have pages, in the folder of its name: the one that has a section, else the report itself. */
function findPage(report: string, heading: string): string {
  const folder = report.replace(/\.md$/, "");
  const pages = existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
  return pages.find((page) => readFileSync(page, "utf8").includes(`\n${heading}\n`)) ?? report;
}

/** Puts a section ("## Heading" up to the next one) into a report, in place of the one of that name. */
export function writeSection(report: string, heading: string, text: string): void {
  const file = findPage(report, heading);
  const kept = existsSync(file) ? readFileSync(file, "utf8") : "";
  const sections = kept.split(/\n(?=## )/);
  const body = `${heading}\n\n${text.trim()}\n`;
  const at = sections.findIndex((section) => section.startsWith(`${heading}\n`));
  const notes = sections.findIndex((section) => section.startsWith("## Notes"));
  if (at >= 0) sections[at] = body;
  else sections.splice(notes < 0 ? sections.length : notes, 0, body);
  writeFileSync(file, sections.join("\n"));
}
