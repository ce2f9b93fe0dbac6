import { type Static, Type } from "@sinclair/typebox";
import type { Timers } from "../../core/clock.ts";
import { createReader } from "../codec.ts";
import { plainReason } from "../refusal.ts";
import type { Authorize } from "./cdp-auth.ts";
import { callFacilitator, type HTTPCall } from "./http-call.ts";
import { detailOf, readSettlement } from "./read-words.ts";
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
  readonly verify_timeout_ms: number;
  readonly settle_timeout_ms: number;
  /** What ends a call; the system's timers unless given. */
  readonly timers?: Timers | undefined;
  /** Told what it says of extensions: for the operator, never for the buyer. */
  readonly onExtensions?: ((header: string) => void) | undefined;
}

const SUPPORTED_TIMEOUT_MS = 5_000;
const KINDS_MAX = 500;
const SIGNERS_MAX = 1_000;

const Words = Type.Optional(Type.Union([Type.String(), Type.Null()]));
const readVerified = createReader(
  Type.Object({
    isValid: Type.Boolean(),
    invalidReason: Words,
    invalidMessage: Words,
    extra: Type.Optional(Type.Unknown()),
  }),
);
const SettleResponse = Type.Object({
  success: Type.Boolean(),
  transaction: Words,
  network: Words,
  errorReason: Words,
  errorMessage: Words,
  amount: Words,
  extra: Type.Optional(Type.Unknown()),
});
const readSettled = createReader(SettleResponse);
const readPage = createReader(
  Type.Object({
    kinds: Type.Array(Type.Unknown(), { maxItems: KINDS_MAX }),
    signers: Type.Optional(Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()])),
  }),
);
const readKind = createReader(
  Type.Object({
    x402Version: Type.Literal(2),
    scheme: Type.String({ maxLength: 100 }),
    network: Type.String({ maxLength: 100 }),
    extra: Type.Optional(Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()])),
  }),
);
const readAccounts = createReader(Type.Array(Type.String({ maxLength: 200 }), { maxItems: SIGNERS_MAX }));

/** A facilitator behind HTTP. Always spoken to in version 2. */
export function createRemoteFacilitator(options: RemoteOptions): Facilitator {
  const { id, kind, authorize } = options;
  const base = options.url.replace(/\/+$/, "");
  const headersOf = (more: Readonly<Record<string, string>>) =>
    new Headers({ "content-type": "application/json", accept: "application/json", ...options.headers, ...more });
  // Made once: `fetch` copies such an object natively, and reads a plain one member by member.
  const same_headers = headersOf({});
  const call = async (path: string, timeout_ms: number, payment?: PaymentToSettle): Promise<HTTPCall> => {
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
      ...(payment ? { body: renderCall(payment) } : {}),
    });
    if (answer.kind === "answered" && answer.extensions) options.onExtensions?.(answer.extensions);
    return answer;
  };

  return {
    id,
    kind,
    url: options.url,
    async getSupported() {
      const answer = await call("/supported", SUPPORTED_TIMEOUT_MS);
      if (answer.kind !== "answered") throw new Error(`/supported: ${answer.cause}`);
      const supported = answer.status === 200 ? parseSupported(answer.body) : null;
      if (!supported) throw new Error(`/supported: the answer (${answer.status}) is no list of kinds`);
      return supported;
    },
    verify: async (payment) => judgeVerify(await call("/verify", options.verify_timeout_ms, payment)),
    settle: async (payment) => judgeSettle(await call("/settle", options.settle_timeout_ms, payment), payment),
  };
}

/** Kinds and accounts that cannot be read are left out: a list is not refused for an odd entry. Null for no list. */
function parseSupported(body: unknown): Supported | null {
  const page = readPage(body);
  if (!page) return null;
  const kinds = page.kinds.flatMap((entry) => {
    const one = readKind(entry);
    return one ? [{ scheme: one.scheme, network: one.network, extra: one.extra ?? {} }] : [];
  });
  const signers = Object.entries(page.signers ?? {}).map(([name, accounts]) => [name, readAccounts(accounts) ?? []]);
  return { kinds, signers: Object.fromEntries(signers) };
}

const isRefusalStatus = (status: number): boolean => status >= 400;

/** A refusal may come with any status; a yes only with one that says so too. */
function judgeVerify(call: HTTPCall): VerifyOutcome {
  if (call.kind !== "answered") return { kind: "unavailable", cause: call.cause };
  const said = readVerified(call.body);
  const unjudged = (cause: string): VerifyOutcome => ({ kind: "unavailable", cause, answered: true });
  if (!said) return unjudged(`the answer (${call.status}) is not one to verify`);
  if (!said.isValid) {
    const detail = detailOf(said.invalidMessage ?? undefined);
    return { kind: "invalid", reason: plainReason(said.invalidReason ?? "refused"), ...detail };
  }
  if (isRefusalStatus(call.status)) return unjudged(`valid, with status ${call.status}`);
  return said.extra === undefined ? { kind: "valid" } : { kind: "valid", extra: said.extra };
}

function judgeSettle(call: HTTPCall, payment: PaymentToSettle): SettleOutcome {
  if (call.kind === "unsent") return { kind: "unseen", cause: call.cause };
  if (call.kind === "failed") return { kind: "unknown", cause: call.cause };
  const said: Static<typeof SettleResponse> | null = readSettled(call.body);
  if (!said) return { kind: "unknown", cause: `the answer (${call.status}) is not one to settle` };
  const outcome = readSettlement(
    {
      success: said.success,
      transaction: said.transaction ?? "",
      // Refusals are often short; a success has to say where.
      network: said.network ?? (said.success ? "" : payment.requirement.network),
      reason: said.errorReason ?? undefined,
      message: said.errorMessage ?? undefined,
    },
    payment,
  );
  if (outcome.kind !== "settled") return outcome;
  if (!isRefusalStatus(call.status)) {
    const amount = typeof said.amount === "string" ? { amount: said.amount } : {};
    return { ...outcome, ...amount, ...(said.extra === undefined ? {} : { extra: said.extra }) };
  }
  return { kind: "unknown", cause: `success, with status ${call.status}`, transaction: outcome.transaction };
}
