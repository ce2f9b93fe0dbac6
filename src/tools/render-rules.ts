import { SELF_RULES } from "../audit/rules.ts";
import { STRANGER_RULES } from "../audit/stranger/judge.ts";

/** The audit rules for the own node, as rows of a Markdown table. */
export const renderSelfRules = (): readonly string[] => [
  "| rule | weight | met when |",
  "| --- | --- | --- |",
  ...SELF_RULES.map(({ id, weight, title }) => `| \`${id}\` | ${weight} | ${title} |`),
];

/** The audit rules for strangers, as rows of a Markdown table, aligned in columns as the formatter does in src. */
export function renderStrangerRules(): readonly string[] {
  const head = ["check", "severity", "what is looked at", "how to put it right"];
  const cells = STRANGER_RULES.map(({ id, severity, title, fix }) => [id, severity, title, fix]);
  const widths = head.map((_, at) => Math.max(...[head, ...cells].map((row) => row[at]?.length ?? 0)));
  const renderRow = (row: readonly string[], filler = " "): string =>
    `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0, filler)).join(" | ")} |`;
  return [renderRow(head), renderRow(["", "", "", ""], "-"), ...cells.map((row) => renderRow(row))];
}
