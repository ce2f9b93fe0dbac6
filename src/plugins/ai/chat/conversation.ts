import type { ModelMessage } from "intel-node";
import { refuse } from "./refuse.ts";

/**
 * Checks a conversation as a whole, whichever door brought it.
 * @param bytes_max of all contents together
 * @throws NodeError for one that no model can answer
 */
export function assertConversation(messages: readonly ModelMessage[], bytes_max: number): void {
  const empty = messages.findIndex(({ role, content }) => role === "user" && content === "");
  if (empty >= 0) {
    const param = `messages[${empty}].content`;
    throw refuse("out_of_range", param, `"${param}" must not be empty.`);
  }
  const last = messages.length - 1;
  if (messages[last]?.role === "assistant") {
    throw refuse("out_of_range", `messages[${last}].role`, "The last message must not be the assistant's.");
  }
  const bytes = messages.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
  if (bytes > bytes_max) {
    const message = `The messages have ${bytes} bytes together; at most ${bytes_max} are taken.`;
    throw refuse("context_length_exceeded", "messages", message);
  }
}
