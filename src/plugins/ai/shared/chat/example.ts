import type { CompletionData } from "./schema.ts";

const CREATED_S = 1_795_176_000;

/** The same completion is shown for both ways to ask for it. */
export const exampleCompletion = {
  as_of: new Date(CREATED_S * 1_000).toISOString().replace(".000Z", "Z"),
  data: {
    id: "chatcmpl-3f1c0a9be2d74f5c8a6b1d2e3f405162",
    object: "chat.completion",
    created: CREATED_S,
    model: "gpt-oss-20b",
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content:
            "An order book lists every open buy and sell order for an asset, sorted by price. The gap between the " +
            "best bid and the best ask is the spread.",
          refusal: null,
        },
        logprobs: null,
        finish_reason: "stop",
      },
    ],
    usage: { prompt_tokens: 21, completion_tokens: 39, total_tokens: 60 },
    intel_node: {
      provider_id: "local",
      requested_model: "intel-fast",
      attempts: 1,
      cached: false,
      preview: false,
      sandbox: false,
      usage_estimated: false,
    },
  } satisfies CompletionData as CompletionData,
};
