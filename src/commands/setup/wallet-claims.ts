import { getOwn } from "../../core/own.ts";
import { NETWORKS } from "../../payments/networks/table.ts";
import {
  checkWalletSignature,
  renderProof,
  renderStatement,
  startOfDay,
  type WalletClaim,
} from "../../payments/wallet-proof.ts";
import type { WalletName } from "../init-file.ts";
import type { Entered } from "./entered.ts";

const DAY_MS = 86_400_000;

/** Who is set up: what a wallet's statement names. */
export interface NamedNode {
  readonly node_id: string;
  /** Raw Ed25519 key, base64url. */
  readonly public_key: string;
}

/** The statements of wallets about one node, by what was entered. */
export interface WalletClaims {
  /** The text a wallet signs; null as long as the node's address or the wallet's is not filled in. */
  statement(entered: Entered, wallet: WalletName): string | null;
  /** What the configuration holds of a signature over that text; null when it is another's or over another text. */
  prove(entered: Entered, wallet: WalletName, signature: string): Promise<string | null>;
}

export function createWalletClaims({ node_id, public_key }: NamedNode, now_ms: () => number): WalletClaims {
  const findClaim = (entered: Entered, wallet: WalletName, days_ago: number): WalletClaim | null => {
    const [origin, address] = [getOwn(entered, "publicUrl") ?? "", getOwn(entered, `${wallet}PayTo`) ?? ""];
    const network = NETWORKS.find((one) => one.wallet === wallet && !one.testnet);
    if (origin === "" || address === "" || !network) return null;
    const issued_at_ms = startOfDay(now_ms()) - days_ago * DAY_MS;
    return { origin, node_id, node_key: public_key, network, address, issued_at_ms };
  };
  return {
    statement(entered, wallet) {
      const claim = findClaim(entered, wallet, 0);
      return claim === null ? null : renderStatement(claim);
    },
    async prove(entered, wallet, signature) {
      // Who was shown the text before midnight signs that of yesterday.
      for (const days_ago of [0, 1]) {
        const claim = findClaim(entered, wallet, days_ago);
        const published = claim === null ? null : await checkWalletSignature(claim, signature.trim());
        if (claim !== null && published !== null) return renderProof(claim, published);
      }
      return null;
    },
  };
}
