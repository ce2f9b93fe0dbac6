import { type AskEndpoint, collectFacts } from "../audit/collect.ts";
import { type AuditedAnswer, type EndpointFacts, LATE, type OwnershipFacts } from "../audit/facts.ts";
import { sleep, startTimeLimit, systemClock, systemTimers, type Timers } from "../core/clock.ts";
import { listAt, parseJSON, textAt } from "../core/json-values.ts";
import { networkById } from "../payments/networks/table.ts";
import { isSignedByWallet } from "../payments/wallet-proof.ts";
import { renderDNSRecord } from "../surfaces/dns-txt.ts";
import type { AskPeer } from "../trust/peer-types.ts";
import { verifyPeer } from "../trust/verify-peer.ts";
import { readBody } from "../upstream/read-body.ts";
import { printError } from "./print.ts";

/** Several requests run at once, and a small machine that draws a picture for each takes half of this time. */
const TIMEOUT_MS = 60_000;
const BYTES_MAX = 4_194_304;
/** How long after its start the audit still waits for a node that limits its requests. */
const PATIENCE_MS = 900_000;

/**
 * Fetches from a running node everything that the audit rules need. Pays nothing.
 * @param url without a slash at its end.
 * @throws when the node does not answer, or takes too long for the first request.
 */
export function fetchFacts(url: string, timers: Timers = systemTimers): Promise<EndpointFacts> {
  const ask = createAsk(url, timers);
  const checkOwnership = (public_url: string) => readOwnership(public_url, ask);
  return collectFacts({ asked_url: url, ask, now_ms: systemClock.now, checkOwnership, hintsFor });
}

/** Sends requests as an anonymous client. Waits when the node limits its callers. */
function createAsk(url: string, timers: Timers): AskEndpoint {
  const started_ms = timers.elapsed_ms();
  let told = false;
  const askOnce = async (...[method, path, headers]: Parameters<AskEndpoint>): Promise<AuditedAnswer> => {
    const limit = startTimeLimit(timers, TIMEOUT_MS);
    try {
      const response = await fetch(`${url}${path}`, {
        method,
        // Without compression, because digests cover the bytes as sent.
        headers: { accept: path === "/" ? "text/html" : "*/*", "accept-encoding": "identity", ...headers },
        redirect: "manual",
        signal: limit.signal,
      });
      return await readAnswer(response);
    } catch (error) {
      if (limit.isUp()) return LATE;
      throw error;
    } finally {
      limit.end();
    }
  };
  const ask: AskEndpoint = async (...request) => {
    const answer = await askOnce(...request);
    if (answer.status !== 429 || timers.elapsed_ms() - started_ms > PATIENCE_MS) return answer;
    if (!told) printError("the node limits its callers: this takes some minutes");
    told = true;
    const wait_s = Math.min(60, Math.max(1, Number(answer.headers["retry-after"]) || 1));
    await sleep(timers, wait_s * 1_000);
    return ask(...request);
  };
  return ask;
}

async function readAnswer(response: Response): Promise<AuditedAnswer> {
  const { status } = response;
  const headers = Object.fromEntries(response.headers);
  if (/^(image|font)\//.test(headers["content-type"] ?? "")) {
    return { status, headers, text: "", bytes: (await response.arrayBuffer()).byteLength };
  }
  const body = await readBody(response, BYTES_MAX);
  return body.ok
    ? { status, headers, text: body.text, bytes: Buffer.byteLength(body.text) }
    : { status, headers, text: "", bytes: BYTES_MAX };
}

/** The node's identity by its own documents, read at the audited address. */
async function readOwnership(public_url: string, ask: AskEndpoint): Promise<OwnershipFacts | null> {
  if (!URL.canParse(public_url)) return null;
  const askPeer: AskPeer = async (address) => {
    if (!address.startsWith(public_url)) return { failed: `${address.slice(0, 200)} is not of this node` };
    const { status, headers, text, is_late } = await ask("GET", address.slice(public_url.length) || "/");
    if (is_late) return { failed: "it takes too long" };
    return { status, headers: new Headers(headers), text };
  };
  const report = await verifyPeer(public_url, {
    ask: askPeer,
    isSignedByWallet,
    networkOf: (id) => networkById(id)?.id ?? null,
    now_ms: systemClock.now(),
  });
  const doubts = report.steps.filter(({ state }) => state !== "ok").map(({ name, detail }) => `${name}: ${detail}`);
  return { verdict: report.verdict, doubts, sound: report.verdict !== "refused" };
}

/** DNS records of the node's domain, which some directories read first. */
export function hintsFor(public_url: string, documents: ReadonlyMap<string, AuditedAnswer>): EndpointFacts["hints"] {
  const read = (path: string): unknown => parseJSON(documents.get(`GET ${path}`)?.text ?? "");
  const chains = listAt(read("/.well-known/x402.json"), "node", "chains");
  const networks = chains.map((network) => ({ network: String(network) }));
  const record = renderDNSRecord({ node: { public_url }, networks });
  const key = textAt(read("/.well-known/did.json"), "verificationMethod", 0, "publicKeyJwk", "x");
  if (record === null || key === "") return [];
  const host = record.name.replace(/^_x402\./, "");
  const mcp_key = Buffer.from(key, "base64url").toString("base64");
  return [
    {
      about: `${record.name} TXT "${record.value}"`,
      fix: "Add this DNS record: crawlers of domains find the node by it.",
    },
    {
      about: `${host} TXT "v=MCPv1; k=ed25519; p=${mcp_key}"`,
      fix: "Add this DNS record before you publish what `intel-node registry mcp` prints: it proves the domain.",
    },
  ];
}
