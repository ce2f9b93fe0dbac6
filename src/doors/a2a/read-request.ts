import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { canonicalJSON, sha256Hex } from "../../core/hash.ts";
import { isShallow } from "../../core/shallow.ts";
import { createReader } from "../../payments/codec.ts";
import { type PushOperation, RPCError, readOperation, type Version } from "./protocol.ts";
import type { TaskPart } from "./task.ts";

const ID_CHARS_MAX = 200;
const PARTS_MAX = 10;
const TEXT_CHARS_MAX = 4_000;
const DATA_CHARS_MAX = 16_000;
const DEPTH_MAX = 40;
const HISTORY_LENGTH_MAX = 1_000;
const MODES_MAX = 50;

export type RPCId = string | number | null;

export interface SendCall {
  readonly operation: "send";
  readonly message: IncomingMessage;
  /** Messages of the history to be answered with; null for all. */
  readonly history_length: number | null;
  /** The client reads text alone. */
  readonly as_text: boolean;
  /** Where the client wants updates of the task; null where it polls. */
  readonly push: PushConfig | null;
}
/** Where push notifications of a task go. */
export interface PushConfig {
  readonly url: string;
  readonly token: string | null;
  /** Value of the header. */
  readonly authorization: string | null;
}
export interface TaskCall {
  readonly operation: "get" | "cancel";
  readonly id: string;
  readonly history_length: number | null;
}
export type PushCall =
  | { readonly operation: "push_set"; readonly id: string; readonly config: PushConfig }
  | { readonly operation: Exclude<PushOperation, "push_set">; readonly id: string };
export type A2ACall = SendCall | TaskCall | PushCall;

export interface IncomingMessage {
  readonly id: string;
  readonly context_id: string | null;
  readonly task_id: string | null;
  readonly parts: readonly TaskPart[];
  /** What the buyer says of the payment. */
  readonly said: "submitted" | "rejected" | null;
  readonly payment: SentPayment | null;
}

/** A payment payload as it came. Nothing of it has been checked. */
export interface SentPayment {
  readonly payload: Readonly<Record<string, unknown>>;
  /** SHA-256 of its canonical form. */
  readonly digest: string;
}

const loose = { additionalProperties: true } as const;
/** Some clients write what is absent as null, others as an empty text. */
const optional = <S extends TSchema>(schema: S) => Type.Optional(Type.Union([schema, Type.Null()]));
const AnyObject = Type.Record(Type.String(), Type.Unknown());
const Id = Type.String({ maxLength: ID_CHARS_MAX });
const HistoryLength = optional(Type.Integer({ minimum: 0, maximum: HISTORY_LENGTH_MAX }));

const readEnvelope = createReader(
  Type.Object(
    {
      jsonrpc: Type.Literal("2.0"),
      method: Type.String({ maxLength: 100 }),
      id: Type.Union([Id, Type.Number(), Type.Null()]),
      params: Type.Optional(AnyObject),
    },
    loose,
  ),
);
const readId = createReader(Type.Object({ id: Type.Union([Id, Type.Number()]) }, loose));
const readTaskParams = createReader(
  Type.Object({ id: Type.String({ minLength: 1, maxLength: ID_CHARS_MAX }), historyLength: HistoryLength }, loose),
);
const Text = Type.String({ maxLength: 1_000 });
const PushConfigParams = Type.Object(
  {
    url: Type.String({ minLength: 1, maxLength: 2_000 }),
    token: optional(Text),
    authentication: optional(
      Type.Object({ schemes: optional(Type.Array(Text)), scheme: optional(Text), credentials: optional(Text) }, loose),
    ),
  },
  loose,
);
const readPushConfig = createReader(PushConfigParams);
const TaskName = Type.String({ minLength: 1, maxLength: ID_CHARS_MAX });
const readPushOfTask = createReader(
  Type.Object({ taskId: TaskName, pushNotificationConfig: Type.Optional(Type.Unknown()) }, loose),
);

const SendParams = Type.Object(
  {
    message: Type.Object(
      {
        messageId: Type.String({ minLength: 1, maxLength: ID_CHARS_MAX }),
        contextId: optional(Id),
        taskId: optional(Id),
        role: Type.String({ maxLength: 20 }),
        parts: Type.Array(AnyObject, { maxItems: PARTS_MAX }),
        metadata: optional(AnyObject),
      },
      loose,
    ),
    configuration: optional(
      Type.Object(
        {
          acceptedOutputModes: optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: MODES_MAX })),
          historyLength: HistoryLength,
          pushNotificationConfig: Type.Optional(Type.Unknown()),
          taskPushNotificationConfig: Type.Optional(Type.Unknown()),
        },
        loose,
      ),
    ),
  },
  loose,
);
const readSendParams = createReader(SendParams);

/** The id of a request, so that even a refusal can name it; null without a usable one. */
export const idOf = (body: unknown): RPCId => readId(body)?.id ?? null;

/** @throws RPCError for whatever is not a call this door takes. */
export function readCall(body: unknown, version: Version): A2ACall {
  const envelope = readEnvelope(body);
  if (!envelope || !isShallow(body, DEPTH_MAX)) {
    const message = "One JSON-RPC 2.0 request is taken at a time: jsonrpc, id, method, params.";
    throw new RPCError("invalid_request", message);
  }
  const operation = readOperation(version, envelope.method);
  const params = envelope.params ?? {};
  if (operation === "send") return readSend(params, version);
  if (operation === "get" || operation === "cancel") return readTaskCall(params, operation);
  return readPushCall(params, operation, version);
}

/** The older version names the task `id` where it only asks, and has the address in its own member. */
function readPushCall(params: unknown, operation: PushOperation, version: Version): PushCall {
  const old = version === "0.3";
  if (operation === "push_set") {
    const read = readPushOfTask(params);
    const config = toPushConfig(old ? read?.pushNotificationConfig : params);
    if (!read || config === null) throw new RPCError("invalid_params", "taskId and the url to be told at are needed.");
    return { operation, id: read.taskId, config };
  }
  const id = (old ? readTaskParams(params)?.id : readPushOfTask(params)?.taskId) ?? null;
  if (id === null) throw new RPCError("invalid_params", `params.${old ? "id" : "taskId"} must name a task.`);
  return { operation, id };
}

function toPushConfig(given: unknown): PushConfig | null {
  const read = readPushConfig(given);
  if (read === null) return null;
  const { url, token, authentication } = read;
  const scheme = authentication?.scheme || authentication?.schemes?.[0] || "Bearer";
  const { credentials } = authentication ?? {};
  return { url, token: token || null, authorization: credentials ? `${scheme} ${credentials}` : null };
}

function readTaskCall(params: unknown, operation: TaskCall["operation"]): TaskCall {
  const read = readTaskParams(params);
  if (!read) throw new RPCError("invalid_params", `params.id must name a task; historyLength is a whole number.`);
  return { operation, id: read.id, history_length: read.historyLength ?? null };
}

function readSend(params: unknown, version: Version): SendCall {
  const read = readSendParams(params);
  if (!read) {
    const shape = `messageId, role, parts (at most ${PARTS_MAX}), and taskId, contextId, metadata where wanted`;
    throw new RPCError("invalid_params", `params.message must be a message: ${shape}.`);
  }
  const { message, configuration } = read;
  const role = version === "0.3" ? "user" : "ROLE_USER";
  if (message.role !== role) throw new RPCError("invalid_params", `message.role must be "${role}".`);
  checkConfiguration(configuration ?? {});
  return {
    operation: "send",
    history_length: configuration?.historyLength ?? null,
    as_text: wantsText(configuration ?? {}),
    push: readPush(configuration ?? {}),
    message: {
      id: message.messageId,
      context_id: message.contextId || null,
      task_id: message.taskId || null,
      parts: message.parts.map((part) => readPart(part, version)),
      ...readPayment(message.metadata ?? {}),
    },
  };
}

type Configuration = NonNullable<Static<typeof SendParams>["configuration"]>;

function readPush(given: Configuration): PushConfig | null {
  const config = given.pushNotificationConfig ?? given.taskPushNotificationConfig ?? null;
  if (config === null) return null;
  const read = toPushConfig(config);
  if (read === null) throw new RPCError("invalid_params", "A push notification config has a url.");
  return read;
}

function checkConfiguration({ acceptedOutputModes: modes }: Configuration): void {
  if (modes && modes.length > 0 && !modes.some(isJSON) && !modes.some(isText)) {
    throw new RPCError("content_type_not_supported", "Data is answered as application/json or as text/plain.");
  }
}

const mediaTypeOf = (mode: string): string => mode.split(";")[0]?.trim().toLowerCase() ?? "";
const isJSON = (mode: string): boolean => ["application/json", "application/*", "*/*", "*"].includes(mediaTypeOf(mode));
const isText = (mode: string): boolean => /^text(\/|$)/.test(mediaTypeOf(mode));

/** Whether a client reads text alone: it gets the same JSON as a text part. */
const wantsText = ({ acceptedOutputModes: modes }: Configuration): boolean =>
  modes !== null && modes !== undefined && modes.length > 0 && !modes.some(isJSON);

/** @throws RPCError content_type_not_supported for files, invalid_params for what is no part. */
function readPart(part: Readonly<Record<string, unknown>>, version: Version): TaskPart {
  const kind = version === "0.3" ? part.kind : kindOf(part);
  if (kind === "file" || kind === "raw" || kind === "url") {
    throw new RPCError("content_type_not_supported", "A message is made of text and data parts; no files.");
  }
  const { text, data } = part;
  if (kind === "text" && typeof text === "string") {
    if (text.length > TEXT_CHARS_MAX) throw tooLong("text", TEXT_CHARS_MAX);
    return { text: text.toWellFormed() };
  }
  if (kind === "data" && isWords(data)) {
    if (JSON.stringify(data).length > DATA_CHARS_MAX) throw tooLong("data", DATA_CHARS_MAX);
    return { data };
  }
  const shape = version === "0.3" ? `{kind:"data",data:{…}} or {kind:"text",text}` : "{data:{…}} or {text}";
  throw new RPCError("invalid_params", `Each part is ${shape}.`);
}

function kindOf(part: Readonly<Record<string, unknown>>): string | undefined {
  const present = ["text", "data", "raw", "url"].filter((name) => part[name] !== undefined && part[name] !== null);
  return present.length === 1 ? present[0] : undefined;
}

const tooLong = (what: string, max: number) =>
  new RPCError("invalid_params", `A ${what} part may have at most ${max} characters.`);

const readWords = createReader(AnyObject);
const isWords = (value: unknown): value is Record<string, unknown> => readWords(value) !== null;

const SAID = { "payment-submitted": "submitted", "payment-rejected": "rejected" } as const;

/** The x402 extension's members of the metadata; everything else in there is the buyer's own. */
function readPayment(metadata: Readonly<Record<string, unknown>>): Pick<IncomingMessage, "said" | "payment"> {
  const status = metadata["x402.payment.status"] ?? null;
  const payload = metadata["x402.payment.payload"] ?? null;
  const said = status === "payment-submitted" || status === "payment-rejected" ? SAID[status] : null;
  if (status !== null && said === null) {
    throw new RPCError("invalid_params", "A buyer says payment-submitted or payment-rejected, nothing else.");
  }
  if (payload === null) {
    if (said !== "submitted") return { said, payment: null };
    throw new RPCError("invalid_params", "payment-submitted needs x402.payment.payload in the same metadata.");
  }
  if (said !== "submitted" || !isWords(payload)) {
    throw new RPCError("invalid_params", "x402.payment.payload is an object and comes with payment-submitted.");
  }
  try {
    return { said, payment: { payload, digest: sha256Hex(canonicalJSON(payload)) } };
  } catch {
    throw new RPCError("invalid_params", "x402.payment.payload holds text that is not valid Unicode.");
  }
}
