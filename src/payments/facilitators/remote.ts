import { Type } from "@sinclair/typebox";
import type { Timers } from "../../core/clock.ts";
import { createReader, readMember } from "../codec.ts";
import type { Authorize } from "./cdp-auth.ts";
import { callFacilitator, type FacilitatorCall } from "./http-call.ts";
import { readSettlement, readVerification } from "./read-words.ts";
import { renderCall } from "./render-payload.ts";
import type { Facilitator, PaymentToSettle, SettleOutcome, Supported, VerifyOutcome } from "./types.ts";

export interface RemoteOptions {
  readonly id: string;
  readonly kind: "remote" | "sandbox";
  readonly url: string;
  /** Sent with every call, such as an API key. */
  readonly headers: Readonly<Record<string, string>>;
  /** Makes more headers for every call, where each needs its own proof. */
  readonly authorize?: Authorize | undefined;
  /** Channels that one claim may have. */
  readonly claims_max?: number | undefined;
  readonly verify_timeout_ms: number;
  readonly settle_timeout_ms: number;
  /** What ends a call; the system's timers unless given. */
  readonly timers?: Timers | undefined;
  /** Told what it says of extensions: for the operator, never for the buyer. */
  readonly onExtensions?: ((header: string) => void) | undefined;
  /** Told of the heads of each answer. */
  readonly onHeaders?: ((url: string, headers: Headers) => void) | undefined;
}

const SUPPORTED_TIMEOUT_MS = 5_000;
const KINDS_MAX = 500;
const SIGNERS_MAX = 1_000;
const ACCOUNT_CHARS_MAX = 200;

const readVerifyAnswer = createReader(Type.Object({ isValid: Type.Boolean() }));
const readSettleAnswer = createReader(Type.Object({ success: Type.Boolean() }));
const readKind = createReader(
  Type.Object({
    x402Version: Type.Literal(2),
    scheme: Type.String({ maxLength: 100 }),
    network: Type.String({ maxLength: 100 }),
  }),
);

const readOldKind = createReader(
  Type.Object({ x402Version: Type.Literal(1), network: Type.String({ maxLength: 100 }) }),
);

/** A facilitator behind HTTP. Always spoken to in version 2. */
export function createRemoteFacilitator(options: RemoteOptions): Facilitator {
  const { id, kind, authorize } = options;
  const base = options.url.replace(/\/+$/, "");
  const headersOf = (more: Readonly<Record<string, string>>) =>
    new Headers({ "content-type": "application/json", accept: "application/json", ...options.headers, ...more });
  // Made once: `fetch` copies such an object natively, and reads a plain one member by member.
  const same_headers = headersOf({});
  const call = async (path: string, timeout_ms: number, payment?: PaymentToSettle): Promise<FacilitatorCall> => {
    const url = `${base}${path}`;
    let headers = same_headers;
    try {
      if (authorize) headers = headersOf(await authorize({ method: payment ? "POST" : "GET", url }));
    } catch {
      return { kind: "unsent", cause: "the call could not be signed" };
    }
    const answer = await callFacilitator({
      url,
      headers,
      timeout_ms,
      timers: options.timers,
      onHeaders: options.onHeaders,
      ...(payment ? { body: renderCall(payment) } : {}),
    });
    if (answer.kind === "answered" && answer.extensions) options.onExtensions?.(answer.extensions);
    return answer;
  };

  return {
    id,
    kind,
    url: options.url,
    claims_max: options.claims_max,
    async getSupported() {
      const answer = await call("/supported", SUPPORTED_TIMEOUT_MS);
      if (answer.kind === "failed" && answer.location) {
        const url = answer.location.replace(/\/supported$/, "");
        throw new Error(`/supported: ${answer.cause}. If that is its address, write url = "${url}"`);
      }
      if (answer.kind !== "answered") throw new Error(`/supported: ${answer.cause}`);
      const supported = answer.status === 200 ? parseSupported(answer.body) : null;
      if (!supported) throw new Error(`/supported: the answer (${answer.status}) is no list of kinds`);
      return supported;
    },
    verify: async (payment) => judgeVerify(await call("/verify", options.verify_timeout_ms, payment)),
    settle: async (payment) => judgeSettle(await call("/settle", options.settle_timeout_ms, payment), payment),
  };
}

type Members = Readonly<Record<string, unknown>>;
/** An object's members; none of what is no object. */
const membersOf = (value: unknown): Members =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Members) : {};

const readAccounts = (value: unknown): readonly string[] =>
  Array.isArray(value)
    ? value.filter((one) => typeof one === "string" && one.length <= ACCOUNT_CHARS_MAX).slice(0, SIGNERS_MAX)
    : [];

/** What cannot be read is left out: a list is not refused for an odd entry. Null for no list. */
function parseSupported(body: unknown): Supported | null {
  const listed = readMember(body, "kinds");
  if (!Array.isArray(listed) || listed.length > KINDS_MAX) return null;
  const kinds = listed.flatMap((entry: unknown) => {
    const one = readKind(entry);
    return one ? [{ scheme: one.scheme, network: one.network, extra: membersOf(readMember(entry, "extra")) }] : [];
  });
  const signers = Object.entries(membersOf(readMember(body, "signers"))).map(([name, accounts]) => [
    name,
    readAccounts(accounts),
  ]);
  const old_networks = listed.flatMap((entry: unknown) => readOldKind(entry)?.network ?? []);
  return {
    kinds,
    signers: Object.fromEntries(signers),
    ...(old_networks.length > 0 ? { old_networks } : {}),
  };
}

const isRefusalStatus = (status: number): boolean => status >= 400;

/** A refusal may come with any status; a yes only with one that says so too. */
function judgeVerify(call: FacilitatorCall): VerifyOutcome {
  if (call.kind !== "answered") return { kind: "unavailable", cause: call.cause };
  const { status } = call;
  const said = readVerifyAnswer(call.body);
  const unjudged = (cause: string): VerifyOutcome => ({ kind: "unavailable", cause, answered: true });
  if (!said) return unjudged(`the answer (${status}) is not one to verify`);
  if (said.isValid && isRefusalStatus(status)) return unjudged(`valid, with status ${status}`);
  return readVerification(said);
}

/** Likewise: a refusal may come with any status, a success only with one that says so too. */
function judgeSettle(call: FacilitatorCall, payment: PaymentToSettle): SettleOutcome {
  if (call.kind === "unsent") return { kind: "unseen", cause: call.cause };
  if (call.kind === "failed") return { kind: "unknown", cause: call.cause };
  const { status, body, text } = call;
  const said = readSettleAnswer(body);
  if (!said) return { kind: "unknown", cause: `the answer (${status}) is not one to settle` };
  const outcome = readSettlement({ ...said, text }, payment);
  if (outcome.kind !== "settled") return outcome;
  if (isRefusalStatus(status)) {
    return { kind: "unknown", cause: `success, with status ${status}`, transaction: outcome.transaction };
  }
  const [amount, extra] = [readMember(body, "amount"), readMember(body, "extra")];
  return { ...outcome, ...(typeof amount === "string" ? { amount } : {}), ...(extra === undefined ? {} : { extra }) };
}
