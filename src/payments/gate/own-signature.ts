import { messageOf } from "../../core/errors.ts";
import { sha256Hex } from "../../core/hash.ts";
import { createLRU } from "../../core/lru.ts";
import { familyOf } from "../networks/families.ts";
import type { ReadPayment } from "./read-payment.ts";
import type { SignatureChecks } from "./signature-checks.ts";

/** What this node itself knows of a payer's signature, whatever a facilitator says. */
export type OwnVerdict = "yes" | "no" | "unknown";

/** What counts before an earlier payment's answer is handed over: our own check, or the chain's by our endpoints. */
export type IsSigned = (read: ReadPayment, client: string) => Promise<OwnVerdict>;

export interface OwnSignatureOptions {
  readonly signatures: SignatureChecks;
  /** RPC endpoints by chain name. */
  readonly rpc_urls: (chain: string) => readonly string[];
  readonly log: (event: Readonly<Record<string, unknown>>) => void;
}

const KEPT_MAX = 10_000;

/** A wallet's answer is asked for once per payload. */
export function createOwnSignature({ signatures, rpc_urls, log }: OwnSignatureOptions): IsSigned {
  const kept = createLRU<OwnVerdict>(KEPT_MAX);

  async function askWallet({ network, incoming }: ReadPayment): Promise<OwnVerdict> {
    const urls = rpc_urls(network.chain);
    const { askSignature } = familyOf(network);
    if (urls.length === 0 || !askSignature) return "unknown";
    try {
      const signed = await askSignature({ network, payload: incoming.payload, rpc_urls: urls });
      return signed === null ? "unknown" : signed ? "yes" : "no";
    } catch (error) {
      log({ event: "wallet_not_asked", network: network.id, error: messageOf(error).slice(0, 200) });
      return "unknown";
    }
  }

  return async (read, client) => {
    const verdict = await signatures.check(read, client);
    if (verdict !== "ask") return verdict;
    // By the text itself: two spellings of a key's signature may be two signatures to a contract.
    const key = `${read.network.id} ${sha256Hex(read.signed.payload_json)}`;
    const known = kept.get(key) ?? (await askWallet(read));
    if (known !== "unknown") kept.set(key, known);
    return known;
  };
}
