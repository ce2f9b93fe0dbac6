import { definePlugin } from "intel-node";
import { renderOpenAIError } from "./chat/openai-errors.ts";
import { settings } from "./settings.ts";

export const plugin = definePlugin({
  id: "ai",
  title: "AI, search and news",
  config: settings,
  // Clients of OpenAI's API ask for more of it than is served.
  errors_below: { path: "/v1", render: renderOpenAIError },
});
