import { Type } from "@sinclair/typebox";
import { createReader } from "../payments/codec.ts";
import { type ModelMode, type PlayedSchema, playCompletion } from "./played-completion.ts";
import { waitForHangUp } from "./wait-for-hang-up.ts";

/** One answer of a script, in the order of the calls. */
export interface ScriptedAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON, or a text to send unchanged; left out: the model's own answer. */
  readonly body?: unknown;
  /** Holds the connection open until the caller hangs up. */
  readonly hangs?: true;
}

/** The simulated language models, as hosts of OpenAI's chat completions. */
export interface PlayedModels {
  respond(id: string, request: Request): Promise<Response>;
  /** Sets its next answers; after the last of them it gives its own answers again. */
  setScript(id: string, script: readonly ScriptedAnswer[]): void;
  setMode(id: string, mode: ModelMode): void;
  status(): Readonly<Record<string, { readonly calls: number; readonly mode: ModelMode; readonly scripted: number }>>;
  /** Bodies of the calls so far, newest last. */
  requests(id: string): readonly unknown[];
}

interface Played {
  readonly requests: unknown[];
  calls: number;
  script: ScriptedAnswer[];
  mode: ModelMode;
}

const REQUESTS_KEPT = 100;
const HANG_MS_MAX = 30_000;
const BYTES_PER_TOKEN = 4;

const readRequest = createReader(
  Type.Object({
    model: Type.String(),
    messages: Type.Array(Type.Object({ role: Type.String(), content: Type.String() })),
    response_format: Type.Optional(
      Type.Object({ type: Type.String(), json_schema: Type.Optional(Type.Object({ schema: Type.Unknown() })) }),
    ),
  }),
);

const refuse = (status: number, message: string, headers: Record<string, string> = {}): Response =>
  Response.json({ error: { message, type: "error", param: null, code: null } }, { status, headers });

/** Answers of a host in trouble, by mode. */
const TROUBLE: Partial<Record<ModelMode, () => Response>> = {
  429: () => refuse(429, "slow down", { "retry-after": "60" }),
  500: () => refuse(500, "internal error"),
  error_in_200: () => Response.json({ error: { code: 402, message: "Insufficient credits" } }),
};

function complete(request: NonNullable<ReturnType<typeof readRequest>>, mode: ModelMode, now_ms: number): Response {
  const { model, messages, response_format } = request;
  const schema = response_format?.json_schema?.schema as PlayedSchema | undefined;
  const content = playCompletion(messages, schema ?? response_format !== undefined, mode);
  const tokens = (text: string) => Math.max(1, Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN));
  const prompt_tokens = tokens(messages.map((one) => one.content).join(""));
  const completion_tokens = tokens(content);
  return Response.json({
    id: "chatcmpl-sandbox",
    object: "chat.completion",
    created: Math.floor(now_ms / 1_000),
    model,
    choices: [
      { index: 0, message: { role: "assistant", content, refusal: null }, logprobs: null, finish_reason: "stop" },
    ],
    usage: { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens },
  });
}

export function createPlayedModels(now: () => number): PlayedModels {
  const all = new Map<string, Played>();
  const of = (id: string): Played => {
    const known = all.get(id) ?? { requests: [], calls: 0, script: [], mode: "none" };
    all.set(id, known);
    return known;
  };
  const playScripted = (
    request: Request,
    { status = 200, headers = {}, body, hangs }: ScriptedAnswer,
  ): Promise<Response> | Response | null => {
    if (hangs) return waitForHangUp(request.signal, HANG_MS_MAX).then(() => new Response(null, { status: 504 }));
    if (body === undefined && status === 200) return null;
    const text = typeof body === "string" ? body : JSON.stringify(body ?? { error: { message: "scripted" } });
    return new Response(text, { status, headers: { "content-type": "application/json", ...headers } });
  };
  return {
    async respond(id, request) {
      const played = of(id);
      played.calls += 1;
      const body: unknown = await request.json().catch(() => undefined);
      played.requests.push(body);
      if (played.requests.length > REQUESTS_KEPT) played.requests.shift();
      const next = played.script.shift();
      const scripted = next === undefined ? null : await playScripted(request, next);
      if (scripted) return scripted;
      const { mode } = played;
      if (mode === "slow") return waitForHangUp(request.signal, HANG_MS_MAX).then(() => refuse(504, "too slow"));
      const read = readRequest(body);
      if (read === null) return refuse(400, "messages are needed");
      return TROUBLE[mode]?.() ?? complete(read, mode, now());
    },
    setScript: (id, script) => {
      of(id).script = [...script];
    },
    setMode: (id, mode) => {
      of(id).mode = mode;
    },
    requests: (id) => of(id).requests,
    status: () =>
      Object.fromEntries(
        [...all].map(([id, { calls, mode, script }]) => [id, { calls, mode, scripted: script.length }]),
      ),
  };
}
