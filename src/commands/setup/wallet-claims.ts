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

/** The node to set up, as a wallet's statement names it. */
export interface NamedNode {
  readonly node_id: string;
  /** Raw Ed25519 key, base64url. */
  readonly public_key: string;
}

/** The statements of wallets about one node, made from the entered answers. */
export interface WalletClaims {
  /** The text for a wallet to sign; null until the node's address and the wallet's are filled in. */
  statement(entered: Entered, wallet: WalletName): string | null;
  /** The configuration entry for a signature over that text; null if another wallet or another text was signed. */
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
      // A text shown before midnight has yesterday's date when it is signed.
      for (const days_ago of [0, 1]) {
        const claim = findClaim(entered, wallet, days_ago);
        const published = claim === null ? null : await checkWalletSignature(claim, signature.trim());
        if (claim !== null && published !== null) return renderProof(claim, published);
      }
      return null;
    },
  };
}
