import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { AIMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";
import { ChatOpenAI } from "@langchain/openai";
import { generateText, type ModelMessage, streamText } from "ai";
import OpenAI from "openai";
import { payingFetch } from "../../../../test/helpers/demo-node.ts";
import { type ProductNode, startProductNode } from "../../../../test/helpers/product-node.ts";

let node: ProductNode;
beforeAll(async () => {
  // As an operator has it who sets nothing.
  node = await startProductNode({ seed_history: false });
});
beforeEach(() => node.sandbox.models.setScript("sandbox", []));
afterAll(() => node.stop());

/** A fetch that pays, and keeps the bodies its client wrote. */
function createRecorder() {
  const bodies: Record<string, unknown>[] = [];
  const pay = payingFetch();
  const record = (async (input: Parameters<typeof fetch>[0], init?: RequestInit) => {
    if (typeof init?.body === "string") bodies.push(JSON.parse(init.body));
    return pay(input, init);
  }) as typeof fetch;
  return { bodies, fetch: record };
}
const openAI = (fetch: typeof globalThis.fetch) =>
  new OpenAI({ baseURL: `${node.url}/v1`, apiKey: "none", fetch, maxRetries: 0 });
const aiSDK = (fetch: typeof globalThis.fetch, more: object = {}) =>
  createOpenAICompatible({ name: "node", baseURL: `${node.url}/v1`, fetch, ...more })("intel-fast");
const langChain = (fetch: typeof globalThis.fetch, more: object = {}) => {
  const configuration = { baseURL: `${node.url}/v1`, fetch };
  return new ChatOpenAI({ model: "intel-fast", apiKey: "none", configuration, maxRetries: 0, ...more });
};
/** The model's last request. */
const lastAsked = () => node.sandbox.models.requests("sandbox").at(-1) as { messages: object[]; max_tokens: number };
/** The model says these, one call after the other. */
const script = (...texts: readonly string[]) =>
  node.sandbox.models.setScript(
    "sandbox",
    texts.map((content) => ({
      body: {
        model: "m-1",
        choices: [{ message: { role: "assistant", content }, finish_reason: "stop" }],
        usage: { prompt_tokens: 9, completion_tokens: 12 },
      },
    })),
  );
const TURNS = [
  { role: "user", content: "one" },
  { role: "assistant", content: "First." },
  { role: "user", content: "two" },
];

describe("official clients hold a conversation, unmodified, and its answers go back as they came", () => {
  beforeEach(() => script("First.", "Second."));

  test("openai, with the whole message of its answer", async () => {
    const { bodies, fetch } = createRecorder();
    const client = openAI(fetch);
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: "one" }];
    const first = await client.chat.completions.create({ model: "any", messages });
    const [choice] = first.choices;
    if (choice) messages.push(choice.message);
    messages.push({ role: "user", content: "two" });
    const second = await client.chat.completions.create({ model: "any", messages, max_completion_tokens: 64 });
    expect(second.choices[0]?.message.content).toBe("Second.");
    expect(bodies.at(-1)?.messages).toContainEqual({ role: "assistant", content: "First.", refusal: null });
    expect(lastAsked()).toMatchObject({ messages: TURNS, max_tokens: 64 });
  });

  test("openai, with what it reads of a stream", async () => {
    const { bodies, fetch } = createRecorder();
    const client = openAI(fetch);
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: "one" }];
    const before = node.settlements();
    const stream = client.chat.completions.stream({ model: "any", messages, stream_options: { include_usage: true } });
    const whole = await stream.finalChatCompletion();
    expect(whole).toMatchObject({
      id: expect.stringMatching(/^chatcmpl-/),
      model: "m-1",
      usage: { prompt_tokens: 9, completion_tokens: 12, total_tokens: 21 },
      choices: [{ finish_reason: "stop", message: { role: "assistant", content: "First." } }],
    });
    expect(node.settlements()).toBe(before + 1);
    expect(bodies.at(-1)).toMatchObject({ stream: true });
    const [choice] = whole.choices;
    if (choice) messages.push(choice.message);
    messages.push({ role: "user", content: "two" });
    await client.chat.completions.stream({ model: "any", messages }).finalContent();
    expect(lastAsked().messages).toEqual(TURNS);
  });

  test("the AI SDK", async () => {
    const { fetch } = createRecorder();
    const messages: ModelMessage[] = [{ role: "user", content: "one" }];
    const first = await generateText({ model: aiSDK(fetch), messages, maxRetries: 0 });
    messages.push(...first.response.messages, { role: "user", content: [{ type: "text", text: "two" }] });
    const settings = { maxOutputTokens: 64, topP: 1, presencePenalty: 0, frequencyPenalty: 0, temperature: 0 };
    const second = await generateText({ model: aiSDK(fetch), messages, maxRetries: 0, ...settings });
    expect(second.text).toBe("Second.");
    expect(lastAsked()).toMatchObject({ messages: TURNS, max_tokens: 64 });
  });

  test("the AI SDK, streamed", async () => {
    const { bodies, fetch } = createRecorder();
    const messages: ModelMessage[] = [{ role: "user", content: "one" }];
    const model = aiSDK(fetch, { includeUsage: true });
    const first = streamText({ model, messages, maxRetries: 0 });
    expect(await first.text).toBe("First.");
    expect(await first.finishReason).toBe("stop");
    expect(await first.usage).toMatchObject({ inputTokens: 9, outputTokens: 12 });
    expect(bodies.at(-1)).toMatchObject({ stream: true, stream_options: { include_usage: true } });
    messages.push(...(await first.response).messages, { role: "user", content: "two" });
    expect(await streamText({ model, messages, maxRetries: 0 }).text).toBe("Second.");
    expect(lastAsked().messages).toEqual(TURNS);
  });

  test("LangChain", async () => {
    const { bodies, fetch } = createRecorder();
    const model = langChain(fetch);
    const first = await model.invoke([new HumanMessage("one")]);
    expect(bodies.at(-1)).toMatchObject({ stream: false });
    const asked = new HumanMessage({ content: [{ type: "text", text: "two" }] });
    const second = await model.invoke([new HumanMessage("one"), first, asked]);
    expect(second.content).toBe("Second.");
    expect(lastAsked().messages).toEqual(TURNS);
  });

  test("LangChain, streamed, with every setting it has at what it is anyway", async () => {
    const { bodies, fetch } = createRecorder();
    const neutral = { topP: 1, n: 1, frequencyPenalty: 0, presencePenalty: 0, logitBias: {}, stop: [], user: "me" };
    const model = langChain(fetch, { ...neutral, maxTokens: 64, temperature: 0, modelKwargs: { store: true } });
    const history = [new HumanMessage("one"), new AIMessage("First."), new HumanMessage("two")];
    let text = "";
    for await (const chunk of await model.stream(history)) text += String(chunk.content);
    expect(text).toBe("First.");
    expect(bodies.at(-1)).toMatchObject({ stream: true, n: 1, top_p: 1 });
    expect(lastAsked()).toMatchObject({ messages: TURNS, max_tokens: 64 });
  });

  test("LangChain, as it speaks to models that think", async () => {
    const { bodies, fetch } = createRecorder();
    const model = langChain(fetch, { model: "o3-mini", maxTokens: 64 });
    await model.invoke([new SystemMessage("Be brief."), new HumanMessage("one")]);
    expect(bodies.at(-1)).toMatchObject({ max_completion_tokens: 64, messages: [{ role: "developer" }, {}] });
    const [first] = lastAsked().messages;
    expect(first).toEqual({ role: "system", content: "Be brief." });
  });
});

/** Its own answer as LiteLLM keeps it (BerriAI/litellm, `Message`). */
const OF_LITELLM = {
  content: "First.",
  role: "assistant",
  tool_calls: null,
  function_call: null,
  provider_specific_fields: { refusal: null },
};
/** What workers-ai-provider writes (cloudflare/ai, packages/workers-ai-provider, getArgs). */
const OF_CLOUDFLARE = {
  model: "@cf/meta/llama-3.1-8b-instruct",
  safe_prompt: false,
  response_format: "text",
  tool_choice: "auto",
  max_tokens: 64,
  temperature: 0,
  top_p: 1,
  tools: [],
};
const [ONE, , TWO] = TURNS;

describe("shapes of clients that are not installed here", () => {
  test.each([
    ["LiteLLM", { model: "m", messages: [ONE, OF_LITELLM, TWO], stream: false, extra_body: null }],
    ["LiteLLM, streamed", { messages: [ONE, OF_LITELLM, TWO], stream: true, stream_options: { include_usage: true } }],
    ["Cloudflare", { ...OF_CLOUDFLARE, messages: TURNS }],
    ["Cloudflare, plain Workers AI", { messages: TURNS, stream: false, raw: false, lora: null, max_tokens: 256 }],
    [
      "openai for Python, dumped with its nulls",
      {
        messages: [ONE, { ...OF_LITELLM, refusal: null, annotations: [], audio: null }, TWO],
        n: 1,
        stop: null,
        seed: null,
        logprobs: false,
        top_logprobs: null,
        logit_bias: {},
        user: "me",
        tools: null,
        tool_choice: "none",
        parallel_tool_calls: true,
        response_format: { type: "text" },
      },
    ],
    [
      "OpenRouter's",
      { messages: [ONE, { role: "assistant", content: "First.", reasoning: "hm" }, TWO], usage: { include: true } },
    ],
  ])("%s", async (_, body) => {
    const response = await payingFetch()(`${node.url}/v1/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(200);
    expect(lastAsked().messages).toEqual(TURNS);
  });
});

describe("what is below /v1 speaks OpenAI's form, served or not", () => {
  const client = () => openAI(fetch);

  test("one model, by its id", async () => {
    const { data } = await client().models.list();
    expect(await client().models.retrieve("sandbox")).toEqual(data[0] as never);
    const missing = await client()
      .models.retrieve("meta/llama-3")
      .catch((error) => error);
    expect(missing).toBeInstanceOf(OpenAI.NotFoundError);
    expect(missing).toMatchObject({ status: 404, code: "model_not_found", param: "model" });
  });

  test.each([
    ["POST", "/v1/embeddings", 404, "not_found", null],
    ["GET", "/v1", 404, "not_found", null],
    ["GET", "/v1/chat/completions/chatcmpl-1", 404, "not_found", null],
    ["DELETE", "/v1/models/sandbox", 405, "method_not_allowed", null],
    ["POST", "/v1/models", 405, "method_not_allowed", null],
    ["GET", "/v1/models?owner=me", 400, "unknown_parameter", "owner"],
    ["GET", "/v1/models/sandbox?id=other", 400, "invalid_type", "id"],
    ["GET", "/v1/models/a/b", 404, "not_found", null],
    ["GET", "/v1/models/%ff", 404, "model_not_found", "model"],
  ])("%s %s", async (method, path, status, code, param) => {
    const response = await fetch(`${node.url}${path}`, { method, headers: { accept: "text/html" } });
    expect(response.headers.get("content-type")).toBe("application/json");
    expect([response.status, await response.json()]).toEqual([
      status,
      {
        error: { message: expect.any(String), type: "invalid_request_error", param, code },
        request_id: expect.any(String),
        charged: false,
      },
    ]);
  });

  test("and nothing else does", async () => {
    const response = await fetch(`${node.url}/v1beta`);
    expect([response.status, await response.json()]).toMatchObject([404, { code: "not_found", discovery: {} }]);
  });
});
