import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { ChatOpenAI } from "@langchain/openai";
import { generateText } from "ai";
import OpenAI from "openai";
import { newPayer, payingFetch } from "../../../../test/helpers/demo-node.ts";
import { type ProductNode, startProductNode } from "../../../../test/helpers/product-node.ts";
import { createPaymentPayload } from "../../../../test/helpers/sign-for.ts";

let node: ProductNode;
beforeAll(async () => {
  node = await startProductNode({ seed_history: false });
});
beforeEach(() => node.sandbox.models.setScript("sandbox", []));
afterAll(() => node.stop());

const PATH = "/v1/chat/completions";
const asked = { messages: [{ role: "user" as const, content: "hello" }] };
const long = (chars: number) => ({ messages: [{ role: "user", content: "x".repeat(chars) }] });
const says = (content: string, more: object = {}) => ({
  body: { model: "m-1", choices: [{ message: { role: "assistant", content }, finish_reason: "stop" }], ...more },
});
const post = (body: unknown, headers: Record<string, string> = {}, search = "") =>
  fetch(`${node.url}${PATH}${search}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
const sign = async () => ({ "PAYMENT-SIGNATURE": await createPaymentPayload(await post({}), newPayer()) });
interface Refusal {
  readonly error: { readonly message: string; readonly type: string; readonly param: unknown; readonly code: string };
  readonly unsupported: readonly string[];
}
const errorOf = async (response: Response) => {
  const { error, unsupported } = (await response.json()) as Refusal;
  expect(unsupported).toEqual(["tools", "vision"]);
  expect(error.message).toEndWith("This endpoint does not support tools or vision input.");
  return [response.status, error.type, error.code, error.param];
};

describe("official clients, with a fetch that pays, buy a completion unmodified", () => {
  test("openai", async () => {
    node.sandbox.models.setScript("sandbox", [
      says("<think>hm</think>\nHi.", { usage: { prompt_tokens: 9, completion_tokens: 12 } }),
    ]);
    const client = new OpenAI({ baseURL: `${node.url}/v1`, apiKey: "none", fetch: payingFetch(), maxRetries: 0 });
    const before = node.settlements();
    const answer = await client.chat.completions.create({ model: "any", ...asked, max_tokens: 64 });
    expect(answer.choices[0]?.message).toEqual({ role: "assistant", content: "Hi.", refusal: null });
    expect(answer.usage).toEqual({ prompt_tokens: 9, completion_tokens: 12, total_tokens: 21 });
    expect(answer).toMatchObject({
      object: "chat.completion",
      model: "m-1",
      id: expect.stringMatching(/^chatcmpl-/),
      intel_node: {
        provider_id: "sandbox",
        requested_model: "any",
        attempts: 1,
        cached: false,
        preview: false,
        sandbox: true,
        usage_estimated: false,
      },
    });
    expect(node.settlements()).toBe(before + 1);
    expect(node.sandbox.models.requests("sandbox").at(-1)).toEqual({
      model: "sandbox-writer",
      messages: asked.messages,
      max_tokens: 64,
      temperature: 0.4,
    });
    const { data } = await client.models.list();
    expect(data).toMatchObject([{ id: "sandbox", object: "model", price_usd: "0.005" }]);
  });

  test("the AI SDK", async () => {
    const provider = createOpenAICompatible({ name: "node", baseURL: `${node.url}/v1`, fetch: payingFetch() });
    const { text } = await generateText({ model: provider("intel-fast"), prompt: "hello", maxRetries: 0 });
    expect(text).toContain("hello");
  });

  test("LangChain", async () => {
    const configuration = { baseURL: `${node.url}/v1`, fetch: payingFetch() };
    const options = { model: "intel-fast", apiKey: "none", configuration, maxRetries: 0 };
    const model = new ChatOpenAI(options);
    expect((await model.invoke("hello")).content).toContain("hello");
  });

  test("openai reads every refusal as its own error, and the 402 as one of 402", async () => {
    const client = new OpenAI({ baseURL: `${node.url}/v1`, apiKey: "none", maxRetries: 0 });
    const refused = await client.chat.completions.create({ model: "m", ...asked, seed: 1 }).catch((e) => e);
    expect(refused).toBeInstanceOf(OpenAI.BadRequestError);
    expect(refused).toMatchObject({ status: 400, code: "unknown_parameter", param: "seed" });
    const unpaid = await client.chat.completions.create({ model: "m", ...asked }).catch((e) => e);
    expect(unpaid).toMatchObject({ status: 402 });
  });
});

describe("what is not sold is refused before any payment, in OpenAI's form", () => {
  test.each([
    ["{", [400, "invalid_request_error", "invalid_json", null]],
    ["[]", [400, "invalid_request_error", "invalid_json", null]],
    [{ ...asked, n: 2 }, [400, "invalid_request_error", "unsupported_value", "n"]],
    [{ ...asked, tools: [1] }, [400, "invalid_request_error", "unsupported_parameter", "tools"]],
    [{ ...asked, seed: 1 }, [400, "invalid_request_error", "unknown_parameter", "seed"]],
    [{ ...asked, max_tokens: 4_096 }, [400, "invalid_request_error", "out_of_range", "max_tokens"]],
    [long(24_001), [400, "invalid_request_error", "context_length_exceeded", "messages"]],
    [long(33_000), [413, "invalid_request_error", "body_too_large", null]],
  ])("%#", async (body, refusal) => {
    const payment = await sign();
    const before = node.settlements();
    expect(await errorOf(await post(body, payment))).toEqual(refusal as never);
    expect(node.settlements()).toBe(before);
  });

  test("another media type; nothing at all; a method that is not taken", async () => {
    const text = await post("hello", { "content-type": "text/plain" });
    expect(await errorOf(text)).toEqual([415, "invalid_request_error", "unsupported_media_type", null]);
    for (const body of ["", {}]) {
      const bare = await post(body);
      expect(bare.status).toBe(402);
      expect(await bare.json()).toMatchObject({ x402Version: 2, unsupported: ["tools", "vision"] });
      const missing = await errorOf(await post(body, await sign()));
      expect(missing).toEqual([400, "invalid_request_error", "missing_required_parameter", "messages"]);
    }
    expect((await fetch(`${node.url}${PATH}`)).status).toBe(402);
    const paid = await fetch(`${node.url}${PATH}`, { headers: await sign() });
    expect((await errorOf(paid)).slice(0, 3)).toEqual([405, "invalid_request_error", "method_not_allowed"]);
  });
});

describe("a model that fails is never paid", () => {
  test.each([
    ["upstream_unavailable", { status: 500, body: {} }],
    ["upstream_bad_response", says("")],
  ])("%s", async (code, answer) => {
    node.sandbox.models.setScript("sandbox", [answer]);
    const before = node.settlements();
    expect(await errorOf(await post(asked, await sign()))).toEqual([503, "api_error", code, null]);
    expect(node.settlements()).toBe(before);
  });

  test("what a buyer's own words and limit bring about shuts no product for others", async () => {
    const cut = { body: { choices: [{ message: { content: "<think>so" }, finish_reason: "length" }] } };
    node.sandbox.models.setScript("sandbox", [...Array(6).fill(says("")), ...Array(6).fill(cut)]);
    const payment = await sign();
    for (let n = 0; n < 6; n += 1) expect((await post(asked, payment)).status).toBe(503);
    // Cut off within its thoughts, as asked: answered and charged, as OpenAI bills it.
    const before = node.settlements();
    for (let n = 0; n < 6; n += 1) {
      const answer = await post({ ...asked, max_tokens: 16 }, await sign());
      expect(await answer.json()).toMatchObject({ choices: [{ message: { content: "" }, finish_reason: "length" }] });
    }
    expect(node.settlements()).toBe(before + 6);
    expect((await payingFetch()(`${node.url}/council`)).status).toBe(200);
    expect((await post(asked, await sign())).status).toBe(200);
  });

  test("two buyers with the same call at one time get a completion each", async () => {
    node.sandbox.models.setScript("sandbox", [says("one"), says("two")]);
    const payments = await Promise.all([sign(), sign()]);
    const answers = await Promise.all(payments.map((payment) => post(asked, payment).then((answer) => answer.json())));
    const texts = answers.map((answer) => (answer as OpenAI.ChatCompletion).choices[0]?.message.content);
    expect(texts.toSorted()).toEqual(["one", "two"]);
    expect(new Set(answers.map((answer) => (answer as OpenAI.ChatCompletion).id)).size).toBe(2);
  });

  test("a stream is the whole answer in OpenAI's events, paid before the first of them", async () => {
    node.sandbox.models.setScript("sandbox", [says("Hi.", { usage: { prompt_tokens: 9, completion_tokens: 12 } })]);
    const response = await post({ ...asked, stream: true, stream_options: { include_usage: true } }, await sign());
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    expect(response.headers.get("PAYMENT-RESPONSE")).not.toBeNull();
    const events = (await response.text()).split("\n\n").map((event) => event.replace("data: ", ""));
    expect(events.slice(3)).toEqual(["[DONE]", ""]);
    const chunks = events.slice(0, 3).map((event) => JSON.parse(event));
    for (const chunk of chunks) {
      expect(chunk).toMatchObject({ id: chunks[0].id, object: "chat.completion.chunk", model: "m-1" });
    }
    expect(chunks).toMatchObject([
      { choices: [{ index: 0, delta: { role: "assistant", content: "Hi." }, finish_reason: null }], usage: null },
      {
        choices: [{ index: 0, delta: {}, finish_reason: "stop" }],
        usage: null,
        intel_node: { provider_id: "sandbox" },
      },
      { choices: [], usage: { prompt_tokens: 9, completion_tokens: 12, total_tokens: 21 } },
    ]);
  });

  test("a stream whose model fails is an error like any other, and not paid", async () => {
    node.sandbox.models.setScript("sandbox", [{ status: 500, body: {} }]);
    const before = node.settlements();
    const response = await post({ ...asked, stream: true }, await sign());
    expect(await errorOf(response)).toEqual([503, "api_error", "upstream_unavailable", null]);
    expect(node.settlements()).toBe(before);
  });

  test("the same payment fetches the same bytes, and asks no model again", async () => {
    const payment = await sign();
    const first = await (await post(asked, payment)).text();
    const calls = node.sandbox.models.requests("sandbox").length;
    expect(await (await post(asked, payment)).text()).toBe(first);
    expect(node.sandbox.models.requests("sandbox")).toHaveLength(calls);
  });
});

test("GET /llm is the same for one question", async () => {
  const response = await payingFetch()(`${node.url}/llm?q=what%20is%20new&max_tokens=32`);
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({
    object: "chat.completion",
    intel_node: { requested_model: "intel-fast" },
  });
  expect(node.sandbox.models.requests("sandbox").at(-1)).toMatchObject({
    messages: [{ role: "user", content: "what is new" }],
    max_tokens: 32,
  });
  expect((await fetch(`${node.url}/llm`)).status).toBe(402);
  for (const [query, refusal] of [
    ["q=a&max_tokens=9", ["out_of_range", "max_tokens"]],
    ["q=a&max_tokens=many", ["invalid_type", "max_tokens"]],
    [`q=${"a".repeat(4_001)}`, ["out_of_range", "q"]],
    ["question=a", ["unknown_parameter", "question"]],
  ] as const) {
    const [status, type, ...told] = await errorOf(await fetch(`${node.url}/llm?${query}`));
    expect([query, status, type, ...told]).toEqual([query, 400, "invalid_request_error", ...refusal]);
  }
  const paid = await fetch(`${node.url}/llm`, { headers: await sign() });
  expect((await errorOf(paid)).slice(2)).toEqual(["missing_required_parameter", "q"]);
});
