import type { Task as NewTask } from "@a2a-js/sdk";
import { type Client, ClientFactory, ClientFactoryOptions, JsonRpcTransportFactory } from "@a2a-js/sdk/client";
import type { Message as OldMessage, Task as OldTask } from "a2a-sdk-0.3";
import { A2AClient } from "a2a-sdk-0.3/client";
import type { Payer } from "./payers.ts";

export type AnyObject = Record<string, unknown>;

/** A task as a test looks at it, whichever client fetched it. */
export interface SeenTask {
  readonly id: string;
  readonly context_id: string;
  /** "input-required", as version 0.3 spells it. */
  readonly state: string;
  readonly text: string;
  readonly metadata: AnyObject;
  /** `x402.payment.status` of every message so far, the newest last. */
  readonly payments: readonly (string | null)[];
  readonly roles: readonly string[];
  /** Of the only artifact. */
  readonly data: AnyObject | null;
  readonly about: AnyObject;
}

export interface Ask {
  readonly skill?: string;
  readonly params?: AnyObject;
  readonly text?: string;
  readonly task?: string;
  readonly metadata?: AnyObject;
}

/** One of the official clients. */
export interface A2ABuyer {
  readonly version: "0.3" | "1.0";
  send(ask: Ask): Promise<SeenTask>;
  get(id: string): Promise<SeenTask>;
  cancel(id: string): Promise<SeenTask>;
}

/** A refusal as JSON-RPC tells it. */
export class Refused extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

/** The code a call is refused with; throws when it is not refused. */
export async function codeOf(call: Promise<unknown>): Promise<number> {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Refused)) throw new Error(`not refused: ${JSON.stringify(error)}`);
  return error.code;
}

const statusOf = (metadata: unknown): string | null => {
  const value = (metadata as AnyObject | undefined)?.["x402.payment.status"];
  return typeof value === "string" ? value : null;
};

/** Talks as @a2a-js/sdk 0.3.14 does. */
async function startOldBuyer(url: string, headers: Record<string, string>): Promise<A2ABuyer> {
  const client = await A2AClient.fromCardUrl(`${url}/.well-known/agent.json`, { fetchImpl: fetchWith(headers) });
  const unwrap = (response: object): SeenTask => {
    if ("error" in response) {
      const { code, message } = response.error as { code: number; message: string };
      throw new Refused(code, message);
    }
    const task = (response as { result: OldTask }).result;
    if (task.kind !== "task") throw new Error("no task");
    const { status, history = [], artifacts = [] } = task;
    const part = artifacts[0]?.parts[0];
    const first = status.message?.parts[0];
    const messages = [...history, ...(status.message ? [status.message] : [])];
    return {
      id: task.id,
      context_id: task.contextId,
      state: status.state,
      text: first?.kind === "text" ? first.text : "",
      metadata: (status.message?.metadata ?? {}) as AnyObject,
      payments: messages.map(({ metadata }) => statusOf(metadata)),
      roles: messages.map(({ role }) => role),
      data: part?.kind === "data" ? (part.data as AnyObject) : null,
      about: (artifacts[0]?.metadata ?? {}) as AnyObject,
    };
  };
  return {
    version: "0.3",
    async send({ skill, params, text, task, metadata }) {
      const parts: OldMessage["parts"] = [];
      if (skill !== undefined) parts.push({ kind: "data", data: { skill, ...(params ? { params } : {}) } });
      if (text !== undefined) parts.push({ kind: "text", text });
      const message: OldMessage = { kind: "message", messageId: crypto.randomUUID(), role: "user", parts };
      if (task !== undefined) message.taskId = task;
      if (metadata) message.metadata = metadata;
      return unwrap(await client.sendMessage({ message }));
    },
    get: async (id) => unwrap(await client.getTask({ id })),
    cancel: async (id) => unwrap(await client.cancelTask({ id })),
  };
}

const STATES = ["", "submitted", "working", "completed", "failed", "canceled", "input-required", "rejected"];
const ROLES = ["", "user", "agent"];
const ROLE_USER = 1;

/** Talks as @a2a-js/sdk 1.3.0 does. */
async function startNewBuyer(url: string, headers: Record<string, string>): Promise<A2ABuyer> {
  const fetchImpl = fetchWith(headers);
  const transports = [new JsonRpcTransportFactory({ fetchImpl })];
  const options = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, { transports });
  const client: Client = await new ClientFactory(options).createFromUrl(url);
  const see = (task: NewTask): SeenTask => {
    const { status, history, artifacts } = task;
    const content = artifacts[0]?.parts[0]?.content;
    const first = status?.message?.parts[0]?.content;
    const messages = [...history, ...(status?.message ? [status.message] : [])];
    return {
      id: task.id,
      context_id: task.contextId,
      state: STATES[status?.state ?? 0] ?? "",
      text: first?.$case === "text" ? first.value : "",
      metadata: (status?.message?.metadata ?? {}) as AnyObject,
      payments: messages.map(({ metadata }) => statusOf(metadata)),
      roles: messages.map(({ role }) => ROLES[role] ?? ""),
      data: content?.$case === "data" ? (content.value as AnyObject) : null,
      about: (artifacts[0]?.metadata ?? {}) as AnyObject,
    };
  };
  const refused = (error: unknown): never => {
    const { envelopeCode, message } = error as { envelopeCode?: number; message: string };
    if (envelopeCode === undefined) throw error;
    throw new Refused(envelopeCode, message);
  };
  const part = (content: { $case: "text"; value: string } | { $case: "data"; value: unknown }) => ({
    content,
    metadata: undefined,
    filename: "",
    mediaType: "",
  });
  return {
    version: "1.0",
    async send({ skill, params, text, task = "", metadata }) {
      const parts = [
        ...(skill === undefined ? [] : [part({ $case: "data", value: { skill, ...(params ? { params } : {}) } })]),
        ...(text === undefined ? [] : [part({ $case: "text", value: text })]),
      ];
      const messageId = crypto.randomUUID();
      const lists = { extensions: [], referenceTaskIds: [] };
      const message = { messageId, contextId: "", taskId: task, role: ROLE_USER, parts, metadata, ...lists };
      const request = { tenant: "", message, configuration: undefined, metadata: undefined };
      const result = await client.sendMessage(request).catch(refused);
      if (!("status" in result)) throw new Error("no task");
      return see(result);
    },
    get: async (id) => see(await client.getTask({ tenant: "", id }).catch(refused)),
    cancel: async (id) => see(await client.cancelTask({ tenant: "", id, metadata: undefined }).catch(refused)),
  };
}

const fetchWith = (more: Record<string, string>): typeof fetch =>
  ((input: string | URL | Request, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    for (const [name, value] of Object.entries(more)) headers.set(name, value);
    return fetch(input, { ...init, headers });
  }) as typeof fetch;

/** Both lines of clients; `headers` go with every request. */
export const A2A_BUYERS = [
  ["0.3", startOldBuyer],
  ["1.0", startNewBuyer],
] as const satisfies readonly (readonly [
  string,
  (url: string, headers: Record<string, string>) => Promise<A2ABuyer>,
])[];

/** The metadata of a message that pays for a task, signed anew by the official payment client. */
export async function sign(task: SeenTask, payer: Payer): Promise<AnyObject> {
  const required = task.metadata["x402.payment.required"] as Parameters<Payer["client"]["createPaymentPayload"]>[0];
  const accepts = required.accepts.filter(({ network }) => network === payer.network);
  return submit(await payer.client.createPaymentPayload({ ...required, accepts }));
}

export const submit = (payload: unknown): AnyObject => ({
  "x402.payment.status": "payment-submitted",
  "x402.payment.payload": payload,
});

/** The header that would bring the same payment over HTTP. */
export const asHeader = (metadata: AnyObject): Record<string, string> => ({
  "PAYMENT-SIGNATURE": Buffer.from(JSON.stringify(metadata["x402.payment.payload"])).toString("base64"),
});
