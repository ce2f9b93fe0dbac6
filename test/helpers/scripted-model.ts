interface Message {
  readonly role: string;
  readonly content?: string;
}

interface Tool {
  readonly type: string;
  readonly function: { readonly name: string; readonly description: string; readonly parameters: unknown };
}

export interface ScriptedModel {
  /** Base URL of an OpenAI-compatible API. */
  readonly url: string;
  /** Names of the functions it was offered last. */
  offered(): readonly string[];
  stop(): Promise<void>;
}

const TOOL = "pyth_price";

/** Whatever a real provider of chat completions would refuse is refused here too. */
function assertTools(tools: readonly Tool[]): void {
  for (const tool of tools) {
    const known = Object.keys(tool).every((key) => key === "type" || key === "function");
    if (tool.type !== "function" || !known) throw new Error("a tool has members of its own");
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(tool.function.name)) throw new Error(`bad name ${tool.function.name}`);
    if (typeof tool.function.parameters !== "object") throw new Error("a tool without parameters");
  }
}

/** A model that calls one function when it is asked something, and then repeats what the function returned. */
function answer(messages: readonly Message[], tools: readonly Tool[]) {
  assertTools(tools);
  const last = messages.at(-1);
  if (last?.role === "tool") return { role: "assistant", content: `I was told: ${last.content}` };
  if (!tools.some((tool) => tool.function.name === TOOL)) throw new Error(`no function ${TOOL} among the tools`);
  const call = { id: "call_1", type: "function", function: { name: TOOL, arguments: "{}" } };
  return { role: "assistant", content: null, tool_calls: [call] };
}

/** An OpenAI-compatible server on loopback. */
export function startScriptedModel(): ScriptedModel {
  let offered: readonly string[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      if (new URL(request.url).pathname !== "/v1/chat/completions") return new Response("not found", { status: 404 });
      const {
        messages,
        tools = [],
        model,
      } = (await request.json()) as {
        messages: readonly Message[];
        tools?: readonly Tool[];
        model: string;
      };
      offered = tools.map((tool) => tool.function.name);
      try {
        const message = answer(messages, tools);
        const finish_reason = "tool_calls" in message ? "tool_calls" : "stop";
        const choices = [{ index: 0, message, finish_reason }];
        return Response.json({ id: "chatcmpl-1", object: "chat.completion", created: 0, model, choices });
      } catch (error) {
        return Response.json({ error: { message: String(error), type: "invalid_request_error" } }, { status: 400 });
      }
    },
  });
  return { url: `http://127.0.0.1:${server.port}/v1`, offered: () => offered, stop: () => server.stop(true) };
}
