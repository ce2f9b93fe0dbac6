import { renderTime } from "../core/clock.ts";
import { parseWalletStatement } from "../core/wallet-statement.ts";
import type { PeerWallet } from "./peer-documents.ts";
import type { PeerParts, PeerStep, PeerSteps } from "./peer-types.ts";

/** A receiving address whose owner signed for the node. */
export interface ProvenWallet {
  /** CAIP-2, in our spelling. */
  readonly network: string;
  readonly address: string;
}

export interface WalletContext extends PeerParts {
  readonly origin: string;
  readonly node_id: string;
  /** Raw Ed25519 key, base64url. */
  readonly node_key: string;
  readonly steps: PeerSteps;
}

/** Checks each claim on a receiving address; a claim beyond the signed text fails. */
export async function checkWallets(
  claimed: readonly PeerWallet[],
  context: WalletContext,
): Promise<readonly ProvenWallet[]> {
  const proven: ProvenWallet[] = [];
  for (const wallet of claimed) {
    const { network, address, status } = wallet;
    const name = `wallet ${network} ${address}`;
    // This is not a fault by itself; it matters only if money goes there.
    if (status !== "proven") continue;
    const own = context.networkOf(network);
    if (own === null) {
      context.steps.add(name, "unproven", "this network is not known here");
      continue;
    }
    const { state, detail } = await checkClaim(wallet, own, context);
    context.steps.add(name, state, detail);
    if (state === "ok") proven.push({ network: own, address });
  }
  return proven;
}

type Checked = Pick<PeerStep, "state" | "detail">;
const failed = (detail: string): Checked => ({ state: "failed", detail });

/** Reads the claim from the signed text, never from the members beside it. */
async function checkClaim(wallet: PeerWallet, network: string, context: WalletContext): Promise<Checked> {
  const { origin, node_id, node_key, now_ms, networkOf } = context;
  const { statement: text = "", signature = "", address } = wallet;
  const statement = parseWalletStatement(text);
  if (statement === null) return failed("its statement is not the eight lines of version 1");
  const is_signed = await context.isSignedByWallet({ network, address, text, signature });
  if (!is_signed) return failed("the address did not sign its statement");
  const facts: readonly (readonly [string, boolean])[] = [
    ["origin", statement.origin === origin],
    ["node_id", statement.node_id === node_id],
    ["node_key", statement.node_key === node_key],
    ["network", networkOf(statement.network) === network],
    ["address", statement.address === address],
  ];
  const wrong = facts.filter(([, ok]) => !ok).map(([name]) => name);
  if (wrong.length > 0) return failed(`its statement names another ${wrong.join(", ")}`);
  const { issued_at_ms, expires_at_ms } = statement;
  // Signed by the right wallet, but expired, which does not make the node an impostor.
  if (issued_at_ms > now_ms) return { state: "unproven", detail: `its statement begins ${renderTime(issued_at_ms)}` };
  if (expires_at_ms <= now_ms) return { state: "unproven", detail: `its statement ended ${renderTime(expires_at_ms)}` };
  return { state: "ok", detail: `signed for ${origin} and ${node_id}` };
}
