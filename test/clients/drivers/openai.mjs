import { QUERY, QUESTION } from "./calls.mjs";

/** With a prepaid key, as OpenAI's own is given. */
export async function load({ url, api_key }) {
  const { default: exported } = await import("openai");
  const OpenAI = exported?.default ?? exported;
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: api_key, maxRetries: 0 });
  if (!client.chat?.completions) throw new Error("has no chat completions");
  const messages = [{ role: "user", content: QUESTION }];
  return {
    plain: () => client.get(`${url}/fear-greed`),
    query: () => client.get(`${url}/forex-rate`, { query: QUERY }),
    chat: async () => {
      const { choices } = await client.chat.completions.create({ model: "any", messages });
      return { text: choices[0].message.content };
    },
    chat_stream: async () => {
      let text = "";
      const chunks = await client.chat.completions.create({ model: "any", messages, stream: true });
      for await (const chunk of chunks) text += chunk.choices[0]?.delta?.content ?? "";
      return { text };
    },
  };
}
