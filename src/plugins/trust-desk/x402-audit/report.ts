import { type Static, Type } from "@sinclair/typebox";
import {
  canonicalJSON,
  compileSchema,
  isSignedText,
  type NodeSigner,
  parseJSON,
  renderTime,
  STRANGER_VERDICTS,
  sha256Hex,
} from "intel-node";
import type { AuditData } from "./schema.ts";

const REPORT_KIND = "x402-audit";
export const BADGE_PATH = "/x402-audit-badge";

/** What a report states and the node signs; canonical JSON (RFC 8785). */
const Claim = Type.Object(
  {
    audited_at: Type.String({ pattern: "^\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z$" }),
    /** Of `checks` in canonical JSON, so that none can be changed afterwards. */
    checks_sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }),
    node_id: Type.String(),
    score: Type.String({ pattern: "^[0-9]{1,3}(\\.[05])?$" }),
    url: Type.String(),
    v: Type.Literal(1),
    verdict: Type.Union(STRANGER_VERDICTS.map((verdict) => Type.Literal(verdict))),
  },
  { additionalProperties: false },
);
export type AuditClaim = Static<typeof Claim>;
const isClaim = compileSchema(Claim);

export interface ReportParts {
  readonly signer: Pick<NodeSigner, "node_id" | "public_key" | "sign">;
  /** This node's public address; null without one. */
  readonly public_url: string | null;
  readonly audited_at_ms: number;
}

type Audited = Pick<AuditData, "url" | "verdict" | "score" | "checks">;

/** States an audit in a text that the node's key signs, and where its badge is drawn. */
export function createReport(audited: Audited, parts: ReportParts): AuditData["report"] {
  const { signer, public_url, audited_at_ms } = parts;
  const claim: AuditClaim = {
    audited_at: renderTime(audited_at_ms),
    checks_sha256: sha256Hex(canonicalJSON(audited.checks)),
    node_id: signer.node_id,
    score: String(audited.score),
    url: audited.url,
    v: 1,
    verdict: audited.verdict,
  };
  const text = canonicalJSON(claim);
  const signature = signer.sign(REPORT_KIND, text);
  const report = `${Buffer.from(text).toString("base64url")}.${signature}`;
  const badge_url = public_url === null ? null : `${new URL(BADGE_PATH, public_url).href}?report=${report}`;
  return { kind: REPORT_KIND, text, signature, public_key: signer.public_key, badge_url };
}

/** What a badge's address says, if this node's key signed it; null for everything else. */
export function readReport(report: string, public_key: string): AuditClaim | null {
  const [encoded = "", signature = ""] = report.split(".");
  const text = Buffer.from(encoded, "base64url").toString();
  if (!isSignedText({ kind: REPORT_KIND, text, signature, public_key })) return null;
  const claim = parseJSON(text);
  return isClaim.Check(claim) ? claim : null;
}
