import type { Neutrals } from "./neutral.ts";
import { refuse, refuseUnknown } from "./refuse.ts";

/** Members that ask for a whole feature this endpoint does not have. */
const UNSUPPORTED: readonly string[] = ["tools", "tool_choice", "functions", "function_call", "tool_calls"];

interface MemberRules {
  /** Members that are read. */
  readonly known: readonly string[];
  /** Members that are dropped where their value changes nothing. */
  readonly neutral: Neutrals;
  /** The object's place, such as "messages[0]."; empty for the request itself. */
  readonly within?: string;
}

/**
 * The members of an object that are read, without those that change nothing: a null is as good as none.
 * @throws NodeError for a member that would change the answer, or may
 */
export function readMembers(
  given: Readonly<Record<string, unknown>>,
  { known, neutral, within = "" }: MemberRules,
): Readonly<Record<string, unknown>> {
  const read: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    if (value === null) continue;
    if (known.includes(name)) {
      read[name] = value;
      continue;
    }
    const rule = Object.hasOwn(neutral, name) ? neutral[name] : undefined;
    if (rule?.isOne(value)) continue;
    const param = `${within}${name}`;
    if (UNSUPPORTED.includes(name)) throw refuse("unsupported_parameter", param, `"${param}" is not taken.`);
    if (rule === undefined) throw refuseUnknown(name, within);
    throw refuse("unsupported_value", param, `"${param}" is taken only as ${rule.only}.`);
  }
  return read;
}
