import { type Computed, isUSDC, type NodeSigner, type PaymentTerms, USDC_DECIMALS } from "intel-node";
import { type CheckRule, factsOf, type Seen } from "./check-rule.ts";
import type { AuditInputs } from "./fetch.ts";
import type { PayToHistory } from "./history.ts";
import { isProbe } from "./probes.ts";
import { createReport, type ReportParts } from "./report.ts";
import type { AuditCheck, AuditData } from "./schema.ts";
import { SITE_CHECKS } from "./site-checks.ts";
import { TERM_CHECKS } from "./term-checks.ts";

const LOST = { major: 15, minor: 5 } as const;
const LIMITS_NOTE =
  "Nothing was paid: whether the seller delivers after payment, and whether it is right, was not tried. " +
  "Only GET was asked, for about 3 s: nothing is known of other hours.";

type ReportSigner = ReportParts["signer"];

export interface Judgement {
  readonly score: number;
  readonly verdict: AuditData["verdict"];
}

/**
 * Points and verdict of the checks. A failed critical check is unsafe; an unknown one is caution at best. sound needs
 * every major check known, acceptable all but one, so that what is unknown never improves a verdict.
 */
export function judgeChecks(checks: readonly Pick<AuditCheck, "severity" | "result">[]): Judgement {
  const count = (severity: AuditCheck["severity"], result: AuditCheck["result"]): number =>
    checks.filter((one) => one.severity === severity && one.result === result).length;
  const lost =
    LOST.major * (count("major", "fail") + count("major", "unknown") / 2) +
    LOST.minor * (count("minor", "fail") + count("minor", "unknown") / 2);
  const points = Math.max(0, 100 - lost);
  if (count("critical", "fail") > 0) return { score: Math.min(20, points), verdict: "unsafe" };
  if (count("critical", "unknown") > 0) return { score: Math.min(60, points), verdict: "caution" };
  const unknown = count("major", "unknown");
  // For the verdict what is unknown counts as failed: silence must not be worth more than a known fault.
  const least =
    100 -
    LOST.major * (count("major", "fail") + unknown) -
    LOST.minor * (count("minor", "fail") + count("minor", "unknown"));
  if (least >= 90 && count("major", "fail") === 0 && unknown === 0) return { score: points, verdict: "sound" };
  return { score: points, verdict: least >= 75 ? "acceptable" : "caution" };
}

/** What of an address' history is not known. */
const describeGaps = ({ network, address, ...read }: PayToHistory): readonly string[] =>
  (["account_type", "payments", "payers", "last_paid_at"] as const)
    .filter((name) => read[name] === null)
    .map((name) => `pay_to_history.${name}: not known of ${address} on ${network}`);

const toCheck = ({ id, severity, what, fix }: CheckRule, [result, detail]: Seen): AuditCheck => ({
  ...{ id, severity, result, what, detail },
  fix: result === "fail" ? fix : null,
});

const describePayment = (terms: PaymentTerms | null): AuditData["payment"] =>
  terms && {
    version: terms.version === null ? null : Math.trunc(terms.version),
    accepts: terms.accepts.map((term) => ({
      ...{ network: term.network, scheme: term.scheme, amount_atomic: term.amount_atomic, asset: term.asset },
      amount_usd: isUSDC(term) && term.amount_atomic !== null ? Number(term.amount_atomic) / 10 ** USDC_DECIMALS : null,
      asset_name: isUSDC(term) ? "USDC" : null,
      pay_to: term.pay_to,
    })),
  };

const ADDRESS_RULE = { id: "U1", severity: "critical", what: "address rules on every hop", fix: "" } as const;
const TLS_RULE = {
  id: "T1",
  severity: "critical",
  what: "TLS chain and host name",
  fix: "Install a certificate of this host name that clients trust.",
} as const;

/** The node's signature under the report of what was seen. */
interface Signed {
  readonly node_id: string;
  readonly public_key: string;
  readonly signature: string;
}

/** What was seen, and that the node stands for it: who computes it again has no key, and needs none. */
export interface SignedAudit extends AuditInputs {
  readonly signed: Signed;
}

/** Every check with its evidence, and what they come to. */
function judgeSeen(inputs: AuditInputs) {
  const { first, url } = inputs;
  const facts = factsOf(inputs);
  const is_https = url.startsWith("https:");
  const tls = facts?.probe.answer.tls ?? null;
  const failure = isProbe(first) ? null : first;
  const checks = [
    toCheck(
      { ...ADDRESS_RULE, see: () => ["pass", ""] },
      failure?.rule === "redirect" ? ["fail", failure.reason] : ["pass", "public"],
    ),
    toCheck(
      { ...TLS_RULE, see: () => ["pass", ""] },
      failure?.rule === "tls" ? ["fail", failure.reason] : is_https ? ["pass", "valid"] : ["n/a", "no TLS"],
    ),
    ...[...TERM_CHECKS, ...SITE_CHECKS].map((rule) =>
      toCheck(rule, facts ? rule.see(facts) : ["unknown", "the seller could not be asked"]),
    ),
  ];
  return { facts, tls, judged: { ...judgeChecks(checks), checks } };
}

type Judged = ReturnType<typeof judgeSeen>["judged"];

const reportOf = ({ url, public_url, read_at_ms: audited_at_ms }: AuditInputs, judged: Judged, signer: ReportSigner) =>
  createReport({ url, ...judged }, { signer, public_url, audited_at_ms });

/** Signs what follows from what was seen; the last step of reading, as it takes the node's key. */
export function signAudit(seen: AuditInputs, signer: NodeSigner): SignedAudit {
  const { signature, public_key } = reportOf(seen, judgeSeen(seen).judged, signer);
  return { ...seen, signed: { node_id: signer.node_id, public_key, signature } };
}

/** Every check with its evidence, what they come to, and the signed report of it. */
export function computeAudit(inputs: SignedAudit): Computed<AuditData> {
  const { url, signed } = inputs;
  const { facts, tls, judged } = judgeSeen(inputs);
  const { checks } = judged;
  const terms = facts?.terms ?? null;
  const report = reportOf(inputs, judged, { ...signed, sign: () => signed.signature });
  const nulls = [
    ...(terms === null ? ["payment: no terms could be read"] : []),
    ...inputs.history.flatMap(describeGaps),
    ...(report.badge_url === null ? ["report.badge_url: this node has no public address"] : []),
    ...(tls === null ? ["tls: there is no certificate that holds"] : []),
    ...checks.filter(({ result }) => result === "unknown").map(({ id, detail }) => `checks.${id}: ${detail}`),
  ];
  return {
    as_of_ms: inputs.read_at_ms,
    data: {
      url,
      final_url: facts?.probe.answer.url ?? url,
      ...judged,
      payment: describePayment(terms),
      pay_to_screens: inputs.screens.map((one) => ({ ...one })),
      pay_to_history: inputs.history.map((one) => ({ ...one })),
      tls: tls && { protocol: tls.protocol, issuer: tls.issuer, valid_to: tls.valid_to },
      first_answer_ms: facts?.probe.took_ms ?? 0,
      requests_made: inputs.requests_made,
      report,
      limits_note: LIMITS_NOTE,
      not_advice: true,
    },
    warnings: [
      ...(inputs.is_self ? ["url: none was named; this node audited itself, the way a stranger would"] : []),
      ...nulls,
    ],
  };
}
