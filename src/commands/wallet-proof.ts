import { systemClock } from "../core/clock.ts";
import type { Network } from "../payments/networks/table.ts";
import { renderStatement, startOfDay } from "../payments/wallet-proof.ts";
import { EXIT } from "./exit-codes.ts";
import { print, printError } from "./print.ts";
import { loadClaimant } from "./wallet-claim.ts";

const HOW: Readonly<Record<Network["wallet"], string>> = {
  base:
    'sign it as a message (EIP-191, "personal_sign") with the wallet of this address; the signature is 0x and 130 ' +
    "hex digits",
  solana:
    "sign its bytes with signMessage of the wallet of this address (not the off-chain format of the Solana command " +
    "line); the signature is base58 or base64",
  algorand: 'sign it with signBytes (algosdk, prefix "MX") with the account of this address; the signature is base64',
};

export interface WalletProofOptions {
  readonly config: string;
  /** Uses the key of the next rotation. */
  readonly next: boolean;
  readonly json: boolean;
}

/** Prints, for each configured wallet, the texts to sign, how to sign them, and the command that checks a signature. */
export async function walletProofCommand({ config, next, json }: WalletProofOptions): Promise<number> {
  const claimant = await loadClaimant(config, next);
  if ("faults" in claimant) {
    printError(claimant.faults);
    return EXIT.config;
  }
  const { origin, node_id, node_key } = claimant;
  const issued_at_ms = startOfDay(systemClock.now());
  const proofs = claimant.networks.flatMap((network) => {
    const address = claimant.config.wallets[network.wallet]?.pay_to;
    if (address === undefined) return [];
    const statement = renderStatement({ origin, node_id, node_key, network, address, issued_at_ms });
    const by_origin = network.wallet === "algorand" ? {} : { origin_message: origin };
    return [{ network: network.id, title: network.title, address, statement, ...by_origin, how: HOW[network.wallet] }];
  });
  if (proofs.length === 0) {
    printError(`${config}: no wallet is configured: set [wallets.base] pay_to`);
    return EXIT.config;
  }
  if (json) {
    print(JSON.stringify({ proofs }));
    return EXIT.ok;
  }
  for (const { network, title, address, statement, origin_message, how } of proofs) {
    print(`${title}: the eight lines between the rules, without a line end after the last\n---\n${statement}\n---`);
    print(`${how}. Then, within 31 days:`);
    print(
      `intel-node wallet verify --network ${network} --address ${address} --signature <signature>` +
        (next ? " --next" : ""),
    );
    if (origin_message !== undefined) {
      print("For registries such as x402scan sign this line as well, alone; the same command checks it:");
      print(origin_message);
    }
    print("");
  }
  return EXIT.ok;
}
