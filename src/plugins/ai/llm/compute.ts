import type { ChatRequest } from "../chat/complete.ts";
import { TEMPERATURE } from "../chat/schema.ts";

/** A question as the chat door takes it: one user message. */
export const toChatRequest = ({ q, max_tokens }: { readonly q: string; readonly max_tokens: number }): ChatRequest => ({
  messages: [{ role: "user", content: q }],
  max_tokens,
  temperature: TEMPERATURE.default,
});
