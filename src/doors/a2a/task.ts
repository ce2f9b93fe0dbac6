import { type Static, Type } from "@sinclair/typebox";

const AnyObject = Type.Record(Type.String(), Type.Unknown());

/** A part in the form both versions are written from. */
const Part = Type.Union([
  Type.Object({ text: Type.String() }, { additionalProperties: false }),
  Type.Object({ data: AnyObject }, { additionalProperties: false }),
]);
export type TaskPart = Static<typeof Part>;

const Message = Type.Object(
  {
    id: Type.String(),
    role: Type.Union([Type.Literal("user"), Type.Literal("agent")]),
    parts: Type.Array(Part),
    metadata: Type.Optional(AnyObject),
  },
  { additionalProperties: false },
);
export type TaskMessage = Static<typeof Message>;

const TaskState = Type.Union([
  Type.Literal("working"),
  Type.Literal("input-required"),
  Type.Literal("completed"),
  Type.Literal("canceled"),
  Type.Literal("failed"),
]);
export type TaskState = Static<typeof TaskState>;

/** What was asked for, as it was written: it is read anew for every call, like any other request. */
const Wanted = Type.Object(
  {
    product: Type.String(),
    given: Type.Union([Type.Object({ query: Type.String() }), Type.Object({ body: AnyObject })]),
    preview: Type.Boolean(),
  },
  { additionalProperties: false },
);
export type Wanted = Static<typeof Wanted>;

/** A task as it is kept. Holds no payment, no API key and no coupon. */
export const Task = Type.Object(
  {
    id: Type.String(),
    context_id: Type.String(),
    state: TaskState,
    at_ms: Type.Integer(),
    /** Null until a message names a skill. */
    wanted: Type.Union([Type.Null(), Wanted]),
    status: Message,
    history: Type.Array(Message),
    artifact: Type.Union([
      Type.Null(),
      Type.Object({ id: Type.String(), parts: Type.Array(Part), metadata: Type.Optional(AnyObject) }),
    ]),
    /** Every settlement that was tried for it, as x402 writes them. */
    receipts: Type.Array(AnyObject),
    /** SHA-256 of the payment that paid for it, or of one that may still: no other is taken. */
    paid_by: Type.Union([Type.Null(), Type.String()]),
  },
  { additionalProperties: false },
);
export type Task = Static<typeof Task>;

/** Messages that are kept of one task; the first, which says what was asked for, always is. */
const HISTORY_MAX = 40;

const MESSAGE_CHARS_MAX = 8_000;

/** What a message said, with every price it named left to the newest. */
function asHistory({ metadata, ...message }: TaskMessage): TaskMessage {
  if (!metadata) return message;
  const { "x402.payment.required": _, ...rest } = metadata;
  return { ...message, metadata: rest };
}

function withHistory(task: Task, message: TaskMessage): TaskMessage[] {
  const all = [...task.history, asHistory(message)];
  return all.length > HISTORY_MAX ? [...all.slice(0, 1), ...all.slice(2)] : all;
}

export interface TaskStep {
  readonly state: TaskState;
  readonly status: TaskMessage;
  readonly at_ms: number;
}

/** A task in another state; what its status said so far becomes history. */
export const moveTo = (task: Task, { state, status, at_ms }: TaskStep): Task => ({
  ...task,
  history: withHistory(task, task.status),
  state,
  status,
  at_ms,
});

/** A message of a buyer as it is kept: never with what he pays with. */
export const keepMessage = (id: string, parts: readonly TaskPart[], said: string | null): TaskMessage => ({
  id,
  role: "user",
  parts: JSON.stringify(parts).length > MESSAGE_CHARS_MAX ? [{ text: "(too long to keep)" }] : [...parts],
  ...(said === null ? {} : { metadata: { "x402.payment.status": `payment-${said}` } }),
});

export interface NewTask {
  readonly id: string;
  readonly context_id: string;
  readonly wanted: Wanted | null;
  readonly message: TaskMessage;
  readonly at_ms: number;
}

/** A task of which only its first message is known. */
export const newTask = ({ message, ...rest }: NewTask): Task => ({
  ...rest,
  state: "working",
  status: message,
  history: [],
  artifact: null,
  receipts: [],
  paid_by: null,
});

/** What the texts of a message say, in one line; "" where they say nothing. */
export const sentenceOf = (parts: readonly TaskPart[]): string =>
  parts
    .flatMap((part) => ("text" in part ? [part.text] : []))
    .join(" ")
    .trim();

/** Nothing follows. */
export const isOver = ({ state }: Task): boolean => state === "completed" || state === "canceled" || state === "failed";
