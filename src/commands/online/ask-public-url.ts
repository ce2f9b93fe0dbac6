import { connect } from "node:tls";
import { CERTIFICATE_DAYS_MIN, countDaysLeft } from "../../audit/certificate-end.ts";
import { HEAD_BYTES, sizeOfHead } from "../../audit/head-size.ts";
import { messageOf } from "../../core/errors.ts";
import type { CheckFinding, FindingLevel } from "./finding.ts";

export interface PublicURLQuestion {
  /** `[node] public_url`. */
  readonly public_url: string | undefined;
  /** Id of this node; null before its first start. */
  readonly node_id: string | null;
  /** A product whose 402 is checked. */
  readonly paid_path: string | undefined;
  readonly now_ms: number;
}

const TIMEOUT_MS = 10_000;

const ask = (url: string): Promise<Response> =>
  fetch(url, { redirect: "manual", signal: AbortSignal.timeout(TIMEOUT_MS), headers: { accept: "application/json" } });

/** End of a server's certificate, ms. @throws Error without TLS. */
function readCertificateEnd(host: string, port: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const socket = connect({ host, port, servername: host, rejectUnauthorized: false, timeout: TIMEOUT_MS }, () => {
    resolve(Date.parse(socket.getPeerCertificate().valid_to));
    socket.destroy();
  });
  socket.on("timeout", () => socket.destroy(new Error("no TLS handshake in time")));
  socket.on("error", reject);
  return promise;
}

async function askCertificate(url: URL, now_ms: number): Promise<readonly [FindingLevel, string, string?]> {
  try {
    const end_ms = await readCertificateEnd(url.hostname, Number(url.port || 443));
    const days = countDaysLeft(end_ms, now_ms);
    const says = `its certificate ends in ${days} days`;
    return days < CERTIFICATE_DAYS_MIN ? ["warn", says, "see why your proxy does not renew it"] : ["ok", says];
  } catch (error) {
    return ["fail", `TLS: ${messageOf(error)}`, "see to the certificate of your proxy"];
  }
}

/** How a 402 was changed on its way through the proxy. */
async function askChallenge(origin: string, path: string): Promise<readonly [FindingLevel, string, string?]> {
  const response = await ask(`${origin}${path}`);
  const what = `an unpaid ${path}`;
  if (response.status === 502 || response.status === 431) {
    const todo = "give the proxy larger header buffers (docs: Behind a proxy)";
    return ["fail", `${what} came back as ${response.status}: the proxy does not take its head`, todo];
  }
  if (response.status !== 402) {
    return ["warn", `${what} answered ${response.status}, not 402`, 'see "intel-node audit self"'];
  }
  if (!response.headers.has("payment-required")) {
    return ["fail", `${what} lost its PAYMENT-REQUIRED header on the way`, "let the proxy pass all response headers"];
  }
  const bytes = sizeOfHead(response.headers);
  const says = `${what} is a 402 with a head of ${bytes} bytes`;
  if (bytes < HEAD_BYTES.fits) return ["ok", says];
  return ["warn", says, `a stock nginx answers 502 above ${HEAD_BYTES.fits}: give it larger header buffers`];
}

/** Checks that the public address leads to this node, and that its proxy passes a 402 on unchanged. Pays nothing. */
export async function askPublicURL(question: PublicURLQuestion): Promise<readonly CheckFinding[]> {
  const { public_url, node_id, paid_path, now_ms } = question;
  const area = "public url";
  if (public_url === undefined) {
    const says = "not set: agents are told the address the node listens on";
    return [
      { area, subject: "[node] public_url", level: "warn", says, todo: "set it to the address agents reach you under" },
    ];
  }
  const url = new URL(public_url);
  const base = { area, subject: url.host } as const;
  const toFinding = ([level, says, todo]: readonly [FindingLevel, string, string?]): CheckFinding => ({
    ...base,
    level,
    says,
    ...(todo === undefined ? {} : { todo }),
  });
  const findings: CheckFinding[] = [];
  if (url.protocol === "https:") findings.push(toFinding(await askCertificate(url, now_ms)));
  else findings.push(toFinding(["warn", "plain http: payments and keys can be read on the way", "put TLS in front"]));
  try {
    const response = await ask(`${url.origin}/live`);
    const body = (await response.json().catch(() => null)) as { readonly node_id?: unknown } | null;
    if (typeof body?.node_id !== "string") {
      const says = `/live answered ${response.status} without a node_id: something else is there`;
      return [...findings, toFinding(["fail", says, "start the node, and point the proxy to [server] host and port"])];
    }
    if (node_id !== null && body.node_id !== node_id) {
      const says = `it leads to another node, ${body.node_id}, not to this one, ${node_id}`;
      return [...findings, toFinding(["fail", says, "point the proxy, or the DNS record, to this machine"])];
    }
    findings.push(toFinding(["ok", `it reaches ${node_id === null ? "a" : "this"} node, ${body.node_id}`]));
    if (paid_path !== undefined) findings.push(toFinding(await askChallenge(url.origin, paid_path)));
    return findings;
  } catch (error) {
    const todo = "start the node first; then see to the DNS record, the proxy and the firewall";
    return [...findings, toFinding(["fail", `does not answer: ${messageOf(error)}`, todo])];
  }
}
