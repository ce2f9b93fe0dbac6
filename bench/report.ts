import { existsSync, readFileSync, writeFileSync } from "node:fs";

/** Puts a section ("## Heading" up to the next one) into a report, in place of the one of that name. */
export function writeSection(file: string, heading: string, text: string): void {
  const kept = existsSync(file) ? readFileSync(file, "utf8") : "";
  const sections = kept.split(/\n(?=## )/);
  const body = `${heading}\n\n${text.trim()}\n`;
  const at = sections.findIndex((section) => section.startsWith(`${heading}\n`));
  const notes = sections.findIndex((section) => section.startsWith("## Notes"));
  if (at >= 0) sections[at] = body;
  else sections.splice(notes < 0 ? sections.length : notes, 0, body);
  writeFileSync(file, sections.join("\n"));
}
