import type { Network } from "./networks/table.ts";
import { checkSignedText, checkWalletSignature, METHODS, parseProof, renderStatement } from "./wallet-proof.ts";

/** A key of the node, as wallets name it. */
export interface NamedKey {
  readonly node_id: string;
  /** Raw Ed25519 key, base64url. */
  readonly node_key: string;
}

/** Whom the wallets have to name. */
export interface NodeNames {
  readonly origin: string;
  readonly present: NamedKey;
  /** Keys before and after it: what names one of them is no fault, and proves nothing now. */
  readonly others: readonly NamedKey[];
}

/** A receiving address with what its owner signed. */
export interface SignedWallet {
  readonly network: Network;
  readonly address: string;
  /** Lines of the configuration. */
  readonly proofs: readonly string[];
  /** Signature over the bare origin. */
  readonly origin_proof: string | undefined;
}

/** A signed statement that holds. */
export interface WalletProof {
  readonly method: (typeof METHODS)[Network["wallet"]];
  /** CAIP-2 as written in the statement. */
  readonly network: string;
  readonly statement: string;
  /** In the form that is published. */
  readonly signature: string;
  readonly issued_at_ms: number;
  readonly expires_at_ms: number;
}

/** A receiving address and how well it is proven to be this node's. */
export interface OwnedWallet {
  readonly network: Network;
  readonly address: string;
  /** The one that holds longest; null when none names the present key. */
  readonly proof: WalletProof | null;
  /** How many configured proofs name another key of this node. */
  readonly other_keys: number;
  /** In the form that is published; null when it is not configured. */
  readonly origin_signature: string | null;
  /** For people: what is configured and not true. */
  readonly faults: readonly string[];
}

/** Checks everything that is configured as signed by a wallet. */
export async function checkOwnership(wallet: SignedWallet, names: NodeNames): Promise<OwnedWallet> {
  const { network, address, origin_proof } = wallet;
  const faults: string[] = [];
  const proofs: WalletProof[] = [];
  let other_keys = 0;
  for (const text of wallet.proofs) {
    const found = await findProof(text, wallet, names);
    if (found === null) faults.push(`[wallets.${network.wallet}] proofs: ${whyNot(text, wallet, names)}`);
    else if (found === "other_key") other_keys += 1;
    else proofs.push(found);
  }
  let origin_signature: string | null = null;
  if (origin_proof !== undefined) {
    const signed = { wallet: network.wallet, address, text: names.origin, signature: origin_proof };
    origin_signature = await checkSignedText(signed);
    if (origin_signature === null) {
      const what = `this is no signature of ${address} over "${names.origin}"`;
      faults.push(`[wallets.${network.wallet}] origin_proof: ${what}`);
    }
  }
  const proof = proofs.sort((a, b) => b.expires_at_ms - a.expires_at_ms)[0] ?? null;
  return { network, address, proof, other_keys, origin_signature, faults };
}

function whyNot(text: string, { address, network }: SignedWallet, { origin, present }: NodeNames): string {
  if (parseProof(text) === null) {
    return `"${text.slice(0, 60)}" is not two dates and a signature, as "intel-node wallet verify" prints them`;
  }
  return (
    `"${text.slice(0, 60)}…" is not signed by ${address} for ${origin} with the node key ed25519:${present.node_key} ` +
    `(${present.node_id}) on ${network.title}; sign again what "intel-node wallet proof" prints, or take it out`
  );
}

async function findProof(
  text: string,
  { network, address }: SignedWallet,
  { origin, present, others }: NodeNames,
): Promise<WalletProof | "other_key" | null> {
  const read = parseProof(text);
  if (read === null) return null;
  const { issued_at_ms, expires_at_ms, signature } = read;
  for (const key of [present, ...others]) {
    for (const id of [network.id, ...(network.aliases ?? [])]) {
      const claim = { origin, ...key, network: { ...network, id }, address, issued_at_ms };
      const published = await checkWalletSignature(claim, signature);
      if (published === null) continue;
      if (key !== present) return "other_key";
      return {
        method: METHODS[network.wallet],
        network: id,
        statement: renderStatement(claim),
        signature: published,
        issued_at_ms,
        expires_at_ms,
      };
    }
  }
  return null;
}
