/** What a comparison of a WHERE clause becomes. */
const COMPARISONS: Readonly<Record<string, string>> = {
  "=": "<>",
  "<>": "=",
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
};
const STATEMENT = /\b(?:SELECT|UPDATE|INSERT INTO|DELETE FROM|WHERE)\b/;
/** Where a condition starts. */
const CONDITION = /\b(?:WHERE|AND|OR|ON|HAVING|WHEN)\s+(?:NOT\s+)?/g;
/** Where it ends, outside of its parentheses. */
const END = /^(?:AND|OR|ORDER|GROUP|LIMIT|RETURNING|UNION|THEN|HAVING|WHERE|FOR|DO|JOIN|LEFT|CROSS|SET|VALUES)\b/;

/** Whether a text of the code, quotes included, is SQL. */
export const isSQL = (text: string): boolean => STATEMENT.test(text);

interface SQLChange {
  /** The whole text with one change. */
  readonly changed: string;
  readonly change: string;
}

/** The text of the condition that starts here; null where it goes on in another piece of code. */
function readCondition(text: string, from: number): string | null {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const char = text[at] ?? "";
    if (char === "$" && text[at + 1] === "{") return null;
    if (char === "(") depth += 1;
    if (char === ")") depth -= 1;
    const is_end = depth < 0 || /[;`]/.test(char) || (char === '"' && at === text.length - 1);
    const is_word = depth === 0 && /[\s(]/.test(text[at - 1] ?? "") && END.test(text.slice(at));
    if (is_end || (is_word && !isBetween(text.slice(from, at)))) return text.slice(from, at).trimEnd();
  }
  return null;
}

/** Changes of the conditions of a statement: another comparison, or a condition that is always met. */
export function listSQLChanges(text: string): readonly SQLChange[] {
  const changes: SQLChange[] = [];
  for (const start of text.matchAll(CONDITION)) {
    const from = start.index + start[0].length;
    const condition = readCondition(text, from);
    if (condition === null || condition === "" || isBetween(text.slice(0, start.index))) continue;
    const replace = (changed: string, change: string): void => {
      const whole = text.slice(0, from) + changed + text.slice(from + condition.length);
      changes.push({ changed: whole, change: `${start[0].trim()} ${condition} -> ${change}` });
    };
    if (/^(?:WHERE|AND)/.test(start[0])) replace(`(${condition} OR TRUE)`, "dropped");
    const compared = / (<=|>=|<>|=|<|>) /.exec(condition);
    const other = compared?.[1] === undefined ? undefined : COMPARISONS[compared[1]];
    if (compared && other) replace(condition.replace(compared[0], ` ${other} `), other);
    if (condition.includes("IS NOT NULL")) replace(condition.replace("IS NOT NULL", "IS NULL"), "IS NULL");
    else if (condition.includes("IS NULL")) replace(condition.replace("IS NULL", "IS NOT NULL"), "IS NOT NULL");
  }
  return changes;
}

/** Whether the AND that follows is a range's. */
const isBetween = (before: string): boolean => /\bBETWEEN\s+[^\s()]+\s+$/.test(before);
