import { systemClock } from "../core/clock.ts";
import { escapeInvisible } from "../core/foreign-text.ts";
import { networkById } from "../payments/networks/table.ts";
import { isSignedByWallet } from "../payments/wallet-proof.ts";
import { type PeerReport, type PeerVerdict, verifyPeer } from "../trust/verify-peer.ts";
import { fetchPeer, isPeerURL } from "../upstream/fetch-peer.ts";
import { EXIT } from "./exit-codes.ts";
import { loadPolicy } from "./load-policy.ts";
import { print, printError } from "./print.ts";

const LINE_CHARS_MAX = 1_000;
const CODES: Readonly<Record<PeerVerdict, number>> = {
  verified: EXIT.ok,
  partial: EXIT.partial,
  refused: EXIT.failed,
};
const WORDS: Readonly<Record<PeerVerdict, string>> = {
  verified: "verified: the node and every address it is paid at belong together",
  partial: "partly verified: nothing is wrong, but what is called unproven above is not shown to be so",
  refused: "REFUSED: do not pay this node",
};

export interface VerifyNodeOptions {
  readonly url: string;
  /** File that says which witnesses must have cosigned the node's histories. */
  readonly policy?: string | undefined;
  readonly json: boolean;
}

/** Checks who another node is, over the network. Pays nothing. */
export async function verifyCommand({ url, policy: file, json }: VerifyNodeOptions): Promise<number> {
  if (!isPeerURL(url)) {
    printError(`${url.slice(0, 200)} is no address of a node: https://…, or http on this machine`);
    return EXIT.config;
  }
  const policy = file === undefined ? undefined : loadPolicy(file);
  if (typeof policy === "string") {
    printError(escapeInvisible(policy));
    return EXIT.config;
  }
  const { origin } = new URL(url);
  const parts = {
    ask: fetchPeer,
    isSignedByWallet,
    networkOf: (id: string) => networkById(id)?.id ?? null,
    now_ms: systemClock.now(),
  };
  const report = await verifyPeer(origin, parts, policy);
  if (json) print(JSON.stringify(report));
  else print(renderReport(report));
  return CODES[report.verdict];
}

/** Limits a stranger's text to one short line. */
const toLine = (text: string): string => escapeInvisible(text.slice(0, LINE_CHARS_MAX));

const renderReport = ({ steps, node_id, sandbox, verdict }: PeerReport): string =>
  [
    ...steps.map(({ name, state, detail }) => toLine(`${state.padEnd(8)}  ${name}: ${detail}`)),
    ...(node_id === null ? [] : [`node      ${toLine(node_id)}${sandbox ? ", a sandbox: no real money" : ""}`]),
    WORDS[verdict],
  ].join("\n");
