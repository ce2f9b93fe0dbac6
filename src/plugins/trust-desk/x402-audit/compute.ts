import { type Computed, isUSDC, judgeStranger, type NodeSigner, type PaymentTerms, USDC_DECIMALS } from "intel-node";
import type { AuditInputs } from "./fetch.ts";
import type { PayToHistory } from "./history.ts";
import { createReport, type ReportParts } from "./report.ts";
import type { AuditData } from "./schema.ts";

const LIMITS_NOTE =
  "Nothing was paid: whether the seller delivers after payment, and whether it is right, was not tried. " +
  "Only GET was asked, for about 3 s: nothing is known of other hours.";

type ReportSigner = ReportParts["signer"];

/** The unknown parts of an address' history. */
const describeGaps = ({ network, address, ...read }: PayToHistory): readonly string[] =>
  (["account_type", "payments", "payers", "last_paid_at"] as const)
    .filter((name) => read[name] === null)
    .map((name) => `pay_to_history.${name}: not known of ${address} on ${network}`);

const describePayment = (terms: PaymentTerms | null): AuditData["payment"] =>
  terms && {
    version: terms.version === null ? null : Math.trunc(terms.version),
    accepts: terms.accepts.map((term) => ({
      network: term.network,
      scheme: term.scheme,
      amount_atomic: term.amount_atomic,
      asset: term.asset,
      amount_usd: isUSDC(term) && term.amount_atomic !== null ? Number(term.amount_atomic) / 10 ** USDC_DECIMALS : null,
      asset_name: isUSDC(term) ? "USDC" : null,
      pay_to: term.pay_to,
    })),
  };

/** The node's signature under the report of what was seen. */
interface Signed {
  readonly node_id: string;
  readonly public_key: string;
  readonly signature: string;
}

/** The findings, signed by the node; recomputing them needs no key. */
export interface SignedAudit extends AuditInputs {
  readonly signed: Signed;
}

type Judged = Pick<AuditData, "verdict" | "score" | "checks">;

const reportOf = ({ url, public_url, read_at_ms: audited_at_ms }: AuditInputs, judged: Judged, signer: ReportSigner) =>
  createReport({ url, ...judged }, { signer, public_url, audited_at_ms });

/** Signs what follows from what was seen; the last step of reading, as it takes the node's key. */
export function signAudit(seen: AuditInputs, signer: NodeSigner): SignedAudit {
  const { signature, public_key } = reportOf(seen, judgeStranger(seen).judged, signer);
  return { ...seen, signed: { node_id: signer.node_id, public_key, signature } };
}

/** Every check with its evidence, what they come to, and the signed report of it. */
export function computeAudit(inputs: SignedAudit): Computed<AuditData> {
  const { url, signed } = inputs;
  const { facts, judged } = judgeStranger(inputs);
  const { checks } = judged;
  const terms = facts?.terms ?? null;
  const tls = facts?.probe.answer.tls ?? null;
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
