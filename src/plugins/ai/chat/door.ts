import type { AnswerForm } from "intel-node";
import { renderDoorError, UNSUPPORTED } from "./openai-errors.ts";
import { CompletionSchema } from "./schema.ts";

/** What the chat door and its GET twin have in common. */
export const door = {
  category: "ai",
  price_usd: "0.005",
  data: CompletionSchema,
  providers: [],
  requires: [],
  uses_node: true,
  uses_model: { use: "door", need: "needed" },
  metered: { by: "tokens" },
  // A completion belongs to who asked for it.
  ttl: "0s",
  deadline_ms: 90_000,
} as const;

/** OpenAI's form, as both have it. */
export const openAIForm = {
  render: ({ data, delayed, preview_of }) => ({
    ...data,
    intel_node: { ...(preview_of ? { preview_of } : {}), ...data.intel_node, preview: delayed },
  }),
  renderError: renderDoorError,
  in_402: { unsupported: UNSUPPORTED },
} satisfies Pick<AnswerForm<never, typeof CompletionSchema>, "render" | "renderError" | "in_402">;
