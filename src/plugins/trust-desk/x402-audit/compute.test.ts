import { expect, test } from "bun:test";
import { isProbe } from "intel-node";
import {
  type Ask,
  createSeller,
  FAULTY_SELLERS,
  HOST,
  honest,
  judgeSeller,
  PAY_TO,
  readSeller,
  type SellerTerms,
} from "../../../../test/helpers/audited-sellers.ts";
import type { AuditInputs } from "./fetch.ts";
import golden from "./fixtures/verdicts.json" with { type: "json" };

/** What was read of a seller, with something of it changed. */
type Change = (read: AuditInputs) => Partial<AuditInputs>;
interface Case {
  readonly ask?: Ask;
  readonly change?: Change;
  readonly host?: string;
}

const plain = (faults: (call: number) => SellerTerms): Case => ({ ask: createSeller(faults) });
const read = (change: Change): Case => ({ change });
const ofTerms = (body: unknown, headers: Readonly<Record<string, string>> = {}): Case => ({
  ask: (path) =>
    path === "/weather"
      ? new Response(typeof body === "string" ? body : JSON.stringify(body), { status: 402, headers })
      : new Response(null, { status: 404 }),
});
const sent = (value: unknown): Readonly<Record<string, string>> => ({
  "payment-required": btoa(JSON.stringify(value)),
});
const failure = (rule: "tls" | "redirect", reason: string): Case =>
  read(() => ({ first: { ok: false, rule, reason, hops: [] }, second: null, manifest: null, openapi: null }));

const BASE = honest("eip155:8453");
const V1 = {
  x402Version: 1,
  accepts: [
    {
      scheme: "exact",
      network: "base",
      maxAmountRequired: "10000",
      asset: BASE.asset,
      payTo: PAY_TO,
      resource: `${HOST}/weather`,
      description: "Weather.",
      mimeType: "application/json",
      maxTimeoutSeconds: 60,
      extra: BASE.extra,
    },
  ],
};
const MPP = Buffer.from(
  JSON.stringify({ amount: "1", currency: BASE.asset, recipient: PAY_TO, methodDetails: { chainId: 8453 } }),
).toString("base64url");

/** Every kind of behaviour of a seller or its documents. */
const CASES: Readonly<Record<string, Case>> = {
  "without a fault": {},
  ...Object.fromEntries(FAULTY_SELLERS.map(([what, faults]) => [what, plain(faults)])),
  "over plain http": { host: "http://seller.example" },
  "with a certificate that is refused": failure("tls", "its certificate has ended"),
  "with a redirect to a private address": failure("redirect", "it leads to no public address"),
  "with a certificate that ends in days": read(({ first }) =>
    isProbe(first) && first.answer.tls
      ? { first: { ...first, answer: { ...first.answer, tls: { ...first.answer.tls, valid_to: "2026-10-05" } } } }
      : {},
  ),
  "that answers at another host": read(({ first }) =>
    isProbe(first) ? { first: { ...first, answer: { ...first.answer, url: "https://other.example/weather" } } } : {},
  ),
  "that is slow": read(({ first }) => (isProbe(first) ? { first: { ...first, took_ms: 5_100 } } : {})),
  "that answers once": read(() => ({ second: null, window: [402, null] })),
  "beside whom nothing answers": read(() => ({ manifest: null, openapi: null, preview: null })),
  "with nothing beside him": ofTerms(V1),
  "with a payee on a list": read(({ screens }) => ({ screens: screens.map((one) => ({ ...one, lists: "hit" })) })),
  "with a payee that could not be screened": read(({ screens }) => ({
    screens: screens.map((one) => ({ ...one, oracle: "unknown" })),
  })),
  "who was never paid": read(({ history }) => ({ history: history.map((one) => ({ ...one, payments: 0 })) })),
  "of unknown history": read(({ history }) => ({ history: history.map((one) => ({ ...one, payments: null })) })),
  "whose contract cannot be read": read(() => ({
    domains: { [`eip155:8453 ${String(BASE.asset).toLowerCase()}`]: null },
  })),
  "in a register that is silent": read(() => ({ registers: [null] })),
  "in no register": read(() => ({ registers: [{ register: "a", listing: null, is_whole: true }] })),
  "beyond what a register shows": read(() => ({ registers: [{ register: "a", listing: null, is_whole: false }] })),
  "on a test network alone": plain(() => ({ accepts: [honest("eip155:84532")] })),
  "on an unknown network": plain(() => ({ accepts: [{ network: "eip155:999999999" }] })),
  "for more than 10 USD": plain(() => ({ accept: { amount: "10000001" } })),
  "with an unknown scheme": plain(() => ({ accept: { scheme: "barter" } })),
  "with no time to pay": plain(() => ({ accept: { maxTimeoutSeconds: 1 } })),
  "without words": plain(() => ({ resource: { description: "", mimeType: "" } })),
  "with a payee of another kind": plain(() => ({ accept: { payTo: "0x12" } })),
  "with a large body": plain(() => ({ resource: { padding: "a".repeat(70_000) } })),
  "of version 1, in the header": ofTerms("{}", sent(V1)),
  "of version 3": ofTerms({ ...V1, x402Version: 3 }),
  "by MPP alone": ofTerms("{}", {
    "www-authenticate": `Payment id="1", method="evm", intent="charge", request="${MPP}"`,
  }),
  "that says nothing": ofTerms(""),
  "that says null": ofTerms("null", sent(null)),
  "that says a list": ofTerms("[]", sent([])),
  "whose ways to pay are not objects": ofTerms({ x402Version: 2, accepts: [null, 1, "exact", []] }),
  "whose ways to pay are not a list": ofTerms({ x402Version: 2, accepts: { 0: {} } }),
  "with sixty ways to pay": plain(() => ({ accepts: Array.from({ length: 60 }, () => ({})) })),
  "with names of every object": ofTerms('{"x402Version":2,"accepts":[{"__proto__":{"scheme":"exact"},"toString":1}]}'),
  "with half a letter": ofTerms(JSON.stringify({ ...V1, error: "\ud800" })),
};

/** A verdict and every check in one line each. */
function describeVerdict(read: AuditInputs): readonly string[] {
  const { verdict, score, checks } = judgeSeller(read);
  const lines = checks.map(({ id, severity, result, what, detail, fix }) => {
    return `${id} ${severity} ${result} (${what}): ${detail}${fix === null ? "" : ` -> ${fix}`}`;
  });
  return [`${verdict} ${score}`, ...lines];
}

/** How long a call took is not of the seller. */
const withoutTime: Change = ({ first }) => (isProbe(first) ? { first: { ...first, took_ms: 12 } } : {});

async function judgeCase({ ask = createSeller(), change = () => ({}), host }: Case): Promise<readonly string[]> {
  const seen = await readSeller(ask, "/weather", host);
  const timed = { ...seen, ...withoutTime(seen) };
  return describeVerdict({ ...timed, ...change(timed) });
}

test.each(Object.keys(CASES))("the verdict on a seller %s is what it always was", async (name) => {
  const told = await judgeCase(CASES[name] ?? {});
  const plainly = golden["without a fault"];
  const differs = name === "without a fault" ? told : told.filter((line) => !plainly.includes(line));
  expect({ [name]: differs }).toEqual({ [name]: golden[name as keyof typeof golden] });
  expect(told).toHaveLength(plainly.length);
});
