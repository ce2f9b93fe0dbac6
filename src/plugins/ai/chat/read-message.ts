import type { ModelMessage } from "intel-node";
import { isRecord } from "./is-record.ts";
import { NEUTRAL_IN_MESSAGE, NEUTRAL_IN_PART } from "./neutral.ts";
import { readMembers } from "./read-members.ts";
import { refuse } from "./refuse.ts";
import { ROLES } from "./schema.ts";

type Role = ModelMessage["role"];

function readRole(role: unknown, param: string): Role {
  if (role === "tool" || role === "function") {
    throw refuse("unsupported_parameter", param, `The role "${role}" is not taken.`);
  }
  if (typeof role !== "string") throw refuse("invalid_type", param, `"${param}" must be a text.`);
  // What newer clients call the system's messages.
  const known = role === "developer" ? "system" : ROLES.find((one) => one === role);
  if (known === undefined) throw refuse("out_of_range", param, `"${param}" must be ${ROLES.join(", ")} or developer.`);
  return known;
}

/** The text of one part. @param param what the whole content is called */
function readPart(part: unknown, index: number, param: string): string {
  const is_text = isRecord(part) && part.type === "text" && typeof part.text === "string";
  if (!is_text) throw refuse("unsupported_content", param, `"${param}[${index}]" must be a part of type "text".`);
  const rules = { known: ["type", "text"], neutral: NEUTRAL_IN_PART, within: `${param}[${index}].` };
  return String(readMembers(part, rules).text);
}

/** A content as one text: each part on its own line. */
function readContent(content: unknown, role: Role, param: string): string {
  // An answer without a word, which went out with its finish_reason, comes back as it was.
  if (content === undefined && role === "assistant") return "";
  if (Array.isArray(content)) return content.map((part, index) => readPart(part, index, param)).join("\n");
  if (isRecord(content)) throw refuse("unsupported_content", param, `"${param}" must be a text, or text parts.`);
  if (typeof content !== "string") throw refuse("invalid_type", param, `"${param}" must be a text.`);
  return content;
}

/**
 * A message as the models take it.
 * @throws NodeError for what would change the answer, naming the member
 */
export function readMessage(message: unknown, index: number): ModelMessage {
  const place = `messages[${index}]`;
  if (!isRecord(message)) throw refuse("invalid_type", place, `"${place}" must be an object.`);
  const role = readRole(message.role, `${place}.role`);
  const rules = { known: ["role", "content"], neutral: NEUTRAL_IN_MESSAGE, within: `${place}.` };
  return { role, content: readContent(readMembers(message, rules).content, role, `${place}.content`) };
}
