import { need, QUESTION } from "./calls.mjs";

/** With a prepaid key, as OpenAI's own is given. */
export async function load({ url, api_key }) {
  const { ChatOpenAI } = need(await import("@langchain/openai"), "ChatOpenAI");
  const { HumanMessage } = await import("@langchain/core/messages");
  const configuration = { baseURL: `${url}/v1` };
  const model = new ChatOpenAI({ model: "intel-fast", apiKey: api_key, configuration, maxRetries: 0 });
  const history = [new HumanMessage(QUESTION)];
  return {
    chat: async () => ({ text: String((await model.invoke(history)).content) }),
    chat_stream: async () => {
      let text = "";
      for await (const chunk of await model.stream(history)) text += String(chunk.content);
      return { text };
    },
  };
}
