import type { Config } from "../../config/schema.ts";
import type { OfferedWallet } from "../../node/parts.ts";
import { askSeller } from "../../payments/seller/ask-seller.ts";
import type { CheckFinding } from "./finding.ts";

/** The requirement for an address before it can receive payments. */
const NEEDS: Readonly<Record<OfferedWallet["network"]["wallet"], string>> = {
  base: "use another address",
  solana: "receive any amount of USDC once: that makes its token account",
  algorand: "opt in to USDC with this account (a transaction of 0 to yourself in your wallet)",
};

/** Asks each chain whether our address can receive payments: a token account on Solana, an opt-in on Algorand. */
export const askWallets = ({ chains }: Config, wallets: readonly OfferedWallet[]): Promise<readonly CheckFinding[]> =>
  Promise.all(
    wallets.map(async ({ network, pay_to }): Promise<CheckFinding> => {
      const { rpc = [], headers = {} } = chains[network.chain] ?? {};
      const word = await askSeller({ network, pay_to, rpc_urls: rpc, headers });
      const base = { area: "wallet", subject: `${network.title} ${pay_to}` } as const;
      if (word.kind === "yes") return { ...base, level: "ok", says: "can be paid" };
      if (word.kind === "no") return { ...base, level: "fail", says: word.why, todo: NEEDS[network.wallet] };
      return {
        ...base,
        level: "skipped",
        says: word.why,
        todo: `set [chains.${network.chain}] rpc to one that answers`,
      };
    }),
  );
