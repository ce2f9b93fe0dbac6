import { NodeError } from "intel-node";

/** Why a part of a request is not taken, by OpenAI's codes. */
type Reason =
  | "unsupported_parameter"
  | "unsupported_value"
  | "unsupported_content"
  | "unknown_parameter"
  | "invalid_type"
  | "out_of_range"
  | "context_length_exceeded";

/** The refusal of one member, as `renderOpenAIError` words it. */
export const refuse = (reason: Reason, param: string, message: string): NodeError =>
  new NodeError("invalid_parameter", message, { param, details: { reason } });

const NAME_CHARS_MAX = 60;

/** The refusal of a member that this door does not know, whose name is the caller's own. */
export function refuseUnknown(name: string, within = ""): NodeError {
  const shown = `${within}${name.slice(0, NAME_CHARS_MAX)}`;
  return refuse("unknown_parameter", shown, `"${shown}" is not known.`);
}
