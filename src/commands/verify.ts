import { systemClock } from "../core/clock.ts";
import { networkById } from "../payments/networks/table.ts";
import { checkSignedText } from "../payments/wallet-proof.ts";
import type { WalletText } from "../trust/peer-types.ts";
import { type PeerReport, type PeerVerdict, verifyPeer } from "../trust/verify-peer.ts";
import { fetchPeer, isPeerURL } from "../upstream/fetch-peer.ts";
import { EXIT } from "./exit-codes.ts";

const LINE_CHARS_MAX = 1_000;
const CODES: Readonly<Record<PeerVerdict, number>> = {
  verified: EXIT.ok,
  partial: EXIT.partial,
  refused: EXIT.failed,
};
const WORDS: Readonly<Record<PeerVerdict, string>> = {
  verified: "verified: the node and every address it is paid at belong together",
  partial: "partly verified: nothing is wrong, but not every address it is paid at is proven to be its own",
  refused: "REFUSED: do not pay this node",
};

/** Whether a wallet signed a text, by the rules of its network; false for a network we do not know. */
export async function isSignedByWallet({ network: id, ...signed }: WalletText): Promise<boolean> {
  const network = networkById(id);
  return network !== undefined && (await checkSignedText({ wallet: network.wallet, ...signed })) !== null;
}

/** Checks who another node is, over the network. Pays nothing. */
export async function verifyCommand({ url, json }: { readonly url: string; readonly json: boolean }): Promise<number> {
  if (!isPeerURL(url)) {
    console.error(`${url.slice(0, 200)} is no address of a node: https://…, or http on this machine`);
    return EXIT.config;
  }
  const { origin } = new URL(url);
  const report = await verifyPeer(origin, {
    ask: fetchPeer,
    isSignedByWallet,
    networkOf: (id) => networkById(id)?.id ?? null,
    now_ms: systemClock.now(),
  });
  if (json) console.log(JSON.stringify(report));
  else console.log(renderReport(report));
  return CODES[report.verdict];
}

/** What a node says must not steer the terminal it is read on. */
const printable = (text: string): string => text.replace(/[^\x20-\x7e]/g, "?").slice(0, LINE_CHARS_MAX);

const renderReport = ({ steps, node_id, sandbox, verdict }: PeerReport): string =>
  [
    ...steps.map(({ name, state, detail }) => printable(`${state.padEnd(8)}  ${name}: ${detail}`)),
    ...(node_id === null ? [] : [`node      ${node_id}${sandbox ? ", a sandbox: no real money" : ""}`]),
    WORDS[verdict],
  ].join("\n");
