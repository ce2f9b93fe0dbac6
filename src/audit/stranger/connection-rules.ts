import type { ConnectionRule } from "../rule.ts";
import { isProbe, type SellerReadings } from "./facts.ts";

/** Why the seller was not asked, where it was for this. */
const findFailure = ({ first }: SellerReadings, rule: "redirect" | "tls"): string | null =>
  !isProbe(first) && first.rule === rule ? first.reason : null;

/** What is judged of the way to the seller. */
export const CONNECTION_RULES: readonly ConnectionRule[] = [
  {
    id: "U1",
    scope: "stranger",
    severity: "critical",
    title: "address rules on every hop",
    fix: "Redirect to public addresses only, or not at all.",
    checkConnection(read) {
      const reason = findFailure(read, "redirect");
      return reason === null ? ["pass", "public"] : ["fail", reason];
    },
  },
  {
    id: "T1",
    scope: "stranger",
    severity: "critical",
    title: "TLS chain and host name",
    fix: "Install a certificate of this host name that clients trust.",
    checkConnection(read) {
      const reason = findFailure(read, "tls");
      if (reason !== null) return ["fail", reason];
      return read.url.startsWith("https:") ? ["pass", "valid"] : ["n/a", "no TLS"];
    },
  },
];
