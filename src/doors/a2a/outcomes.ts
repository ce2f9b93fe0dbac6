import type { CallStep } from "../../calls/call-watch.ts";
import { tierOf } from "../../catalog/tiers.ts";
import { ERRORS, type NodeError } from "../../core/errors.ts";
import { newId } from "../../core/ids.ts";
import { type Challenge, readOfferV1 } from "../../payments/challenge.ts";
import type { SaleOutcome } from "../../sell/sale.ts";
import { errorCodeOf, readSettlement, renderAttempt } from "./payment-metadata.ts";
import type { SentPayment } from "./read-request.ts";
import type { Request } from "./skills.ts";
import { moveTo, type Task, type TaskMessage, type TaskPart } from "./task.ts";

/** What the text of an outcome is made from. */
export interface About {
  readonly request: Request;
  readonly payment: SentPayment | null;
  /** The payment was sent for this task before, and may have been settled. */
  readonly repeats: boolean;
  /** The x402 version the buyer reads. */
  readonly protocol: 1 | 2;
  readonly request_id: string;
  readonly now_ms: number;
  /** The signed statement that a failed call cost nothing. */
  readonly noCharge: (error: NodeError) => Promise<string | null>;
}

type AnyObject = Record<string, unknown>;

/** Payments a task takes before it fails: each is recorded for good. */
const ATTEMPTS_MAX = 20;

/** A message of the node. */
export const say = (parts: readonly TaskPart[], now_ms: number, metadata?: AnyObject): TaskMessage => ({
  id: newId("msg", now_ms),
  role: "agent",
  parts: [...parts],
  ...(metadata ? { metadata } : {}),
});

/** The task while its payment is worked on; what is written down before any money moves. */
export function toWorking(task: Task, payment: SentPayment, now_ms: number): Task {
  const text = "The payment was received and is being worked on.";
  const metadata = { "x402.payment.status": "payment-submitted", ...receiptsOf(task) };
  const status = say([{ text }], now_ms, metadata);
  return { ...moveTo(task, { state: "working", status, at_ms: now_ms }), paid_by: payment.digest };
}

const STEPS: Readonly<Record<CallStep, string>> = {
  producing: "The payment was verified and the answer is being made. Nothing was charged, and you may still cancel.",
  settling: "The answer is made and the payment is being settled.",
};

/** The task while it is worked on, as far as it is now. */
export function toStep(task: Task, step: CallStep, now_ms: number): Task {
  const said = step === "producing" ? "payment-verified" : "payment-submitted";
  const status = say([{ text: STEPS[step] }], now_ms, { "x402.payment.status": said, ...receiptsOf(task) });
  return moveTo(task, { state: "working", status, at_ms: now_ms });
}

/** The task after its request was sold, given away, asked a price for or refused. */
export async function toOutcome(task: Task, outcome: SaleOutcome, about: About): Promise<Task> {
  switch (outcome.kind) {
    case "preview": {
      const told = { text: "A free preview: real data, delayed, of the parameters that its preview_of names." };
      const status = say([told, ...sentenceOf(outcome.body)], about.now_ms);
      const done = moveTo(task, { state: "completed", status, at_ms: about.now_ms });
      return { ...done, artifact: createArtifact(outcome.body, about.now_ms) };
    }
    case "challenge":
      return toChallenge(task, outcome.challenge, about);
    case "refused":
      return toRefused(task, outcome, about);
    case "answer":
      return toAnswer(task, outcome.served, about);
    default:
      return outcome satisfies never;
  }
}

/** What the answer says in one sentence, for clients that show only texts; nothing without one. */
function sentenceOf(body: string): readonly TaskPart[] {
  const { text }: { readonly text?: unknown } = JSON.parse(body);
  return typeof text === "string" && text !== "" ? [{ text }] : [];
}

function createArtifact(body: string, now_ms: number, metadata: AnyObject = {}): NonNullable<Task["artifact"]> {
  const some = Object.keys(metadata).length > 0;
  return { id: newId("art", now_ms), parts: [{ data: JSON.parse(body) }], ...(some ? { metadata } : {}) };
}

const receiptsOf = ({ receipts }: Pick<Task, "receipts">): AnyObject =>
  receipts.length > 0 ? { "x402.payment.receipts": receipts } : {};

function toChallenge(task: Task, challenge: Challenge, { request, protocol, now_ms }: About): Task {
  const { product, params } = request;
  const lacking = params.missing.map((name) => ` Parameter "${name}" is missing: ask again with it before you pay.`);
  const unit = product.definition.plan ? "once" : "per call";
  const price = `${product.path} costs $${tierOf(product, params).price_usd} ${unit}.`;
  const text = `${price} Pay with one of the accepted options, or call with an API key.`;
  const metadata = {
    "x402.payment.status": "payment-required",
    "x402.payment.required": protocol === 1 ? readOfferV1(challenge) : challenge.payment_required,
    ...receiptsOf(task),
  };
  const status = say([{ text: text + lacking.join("") }], now_ms, metadata);
  return moveTo(task, { state: "input-required", status, at_ms: now_ms });
}

async function toRefused(
  task: Task,
  { challenge, refusal }: Extract<SaleOutcome, { kind: "refused" }>,
  about: About,
): Promise<Task> {
  const { payment, protocol, now_ms } = about;
  const no_charge = await about.noCharge(refusal);
  const { payment_required, body } = challenge.refused(refusal, { id: about.request_id, protocol, no_charge });
  const receipts = payment ? [...task.receipts, renderAttempt(refusal, payment)] : task.receipts;
  const metadata = {
    "x402.payment.status": payment ? "payment-failed" : "payment-required",
    "x402.payment.error": errorCodeOf(refusal, refusal.diagnostic.reason),
    "x402.payment.required": protocol === 1 ? JSON.parse(body) : payment_required,
    ...receiptsOf({ receipts }),
  };
  const { code } = refusal;
  const told = { code, detail: refusal.message, charged: false, diagnostic: refusal.diagnostic };
  const proof = no_charge ? { no_charge } : {};
  const status = say([{ text: refusal.message }, { data: { ...told, ...proof } }], now_ms, metadata);
  const state = receipts.length < ATTEMPTS_MAX ? "input-required" : "failed";
  const moved = moveTo(task, { state, status, at_ms: now_ms });
  return { ...moved, receipts, paid_by: payment ? null : task.paid_by };
}

/** Answer headers that say more than the settlement does. */
const TOLD: Readonly<Record<string, string>> = {
  "X-Receipt-Id": "receipt_id",
  "X-Credits-Remaining": "credits_remaining",
  "X-Charged": "charged",
  "X-Metering": "metering",
  "X-Idempotent-Replay": "idempotent_replay",
  "X-Duplicate-Payment-Avoided": "duplicate_payment_avoided",
  "X-Earlier-Payment-Unknown": "earlier_payment_unknown",
};

function toAnswer(
  task: Task,
  { body, headers }: { body: string; headers: Readonly<Record<string, string>> },
  about: About,
): Task {
  const { payment, now_ms } = about;
  const told = Object.entries(TOLD).flatMap(([header, name]) => {
    const value = headers[header];
    return value === undefined ? [] : [[name, value === "true" ? true : value] as const];
  });
  const settlement = payment ? readSettlement(headers) : null;
  const receipts = settlement ? [...task.receipts, settlement] : task.receipts;
  const text = settlement ? "Paid and delivered." : "Delivered.";
  const status = say([{ text }, ...sentenceOf(body)], now_ms, {
    ...(settlement ? { "x402.payment.status": "payment-completed" } : {}),
    ...receiptsOf({ receipts }),
  });
  const artifact = createArtifact(body, now_ms, Object.fromEntries(told));
  // Paid by key or coupon instead: the payment that came along was not touched.
  const paid_by = settlement ? task.paid_by : null;
  const paid = settlement ? verified(task, now_ms) : task;
  return { ...moveTo(paid, { state: "completed", status, at_ms: now_ms }), receipts, artifact, paid_by };
}

/** The gate verifies before it settles: the history tells of a step that was over before anybody could see it. */
function verified(task: Task, now_ms: number): Task {
  const status = say([{ text: "The payment was verified." }], now_ms, { "x402.payment.status": "payment-verified" });
  return moveTo(task, { state: "working", status, at_ms: now_ms });
}

/**
 * The task after a call that failed for another reason than its payment. While nobody knows whether money moved, only
 * the same payment is taken again; otherwise nothing was charged, and it may come again as well.
 */
export async function toFailed(task: Task, error: NodeError, about: About): Promise<Task> {
  const { payment, now_ms } = about;
  const unknown = error.options.charge_unknown === true;
  const { title, retryable } = ERRORS[error.code];
  const { retry_after_s } = error.options;
  const no_charge = await about.noCharge(error);
  const told = {
    code: error.code,
    title,
    detail: error.message,
    charged: unknown ? "unknown" : false,
    retryable,
    ...(retry_after_s === undefined ? {} : { retry_after: Math.ceil(retry_after_s) }),
    ...error.options.details,
    ...(no_charge ? { no_charge } : {}),
  };
  const metadata = payment
    ? { "x402.payment.status": "payment-submitted", "x402.payment.error": errorCodeOf(error), ...receiptsOf(task) }
    : undefined;
  const status = say([{ text: error.message }, { data: told }], now_ms, metadata);
  const goes_on = payment !== null || task.state !== "working";
  const state = goes_on ? "input-required" : "failed";
  const open = unknown || about.repeats || error.code === "request_in_progress";
  return { ...moveTo(task, { state, status, at_ms: now_ms }), paid_by: payment && !open ? null : task.paid_by };
}

/** Replaces an API key wherever a task is stored or shown again. */
const WITHHELD = "withheld";

/** A task as it is kept and shown to callers who know its id: without the key that was bought, which is shown once. */
export function withoutSecrets(task: Task): Task {
  const { artifact } = task;
  if (!artifact?.parts.some((part) => "data" in part && typeof part.data.api_key === "string")) return task;
  const parts = artifact.parts.map((part): TaskPart => {
    if (!("data" in part) || typeof part.data.api_key !== "string") return part;
    return { data: { ...part.data, api_key: WITHHELD } };
  });
  const note = "The key was shown once, in the answer to the message that paid.";
  return { ...task, artifact: { ...artifact, parts, metadata: { ...artifact.metadata, api_key: note } } };
}
