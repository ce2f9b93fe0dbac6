import { systemClock } from "../core/clock.ts";
import { networkById } from "../payments/networks/table.ts";
import {
  checkSignedText,
  checkWalletSignature,
  renderProof,
  startOfDay,
  type WalletClaim,
} from "../payments/wallet-proof.ts";
import { EXIT } from "./exit-codes.ts";
import { print, printError } from "./print.ts";
import { type Claimant, loadClaimant } from "./wallet-claim.ts";

export interface VerifyOptions {
  readonly config: string;
  /** CAIP-2 id, or the name of the wallet's table: "base". */
  readonly network: string;
  readonly address: string;
  readonly signature: string;
  /** Uses the key of the next rotation. */
  readonly next: boolean;
  readonly json: boolean;
}

const DAY_MS = 86_400_000;
/** The longest time since the text was printed. */
const DAYS_BACK = 31;

/** Checks a wallet's signature over a text of `wallet proof`, and prints the line for the configuration. */
export async function walletVerifyCommand(options: VerifyOptions): Promise<number> {
  const claimant = await loadClaimant(options.config, options.next);
  const claim = "faults" in claimant ? claimant : readClaim(claimant, options);
  if ("faults" in claim) {
    printError(claim.faults);
    return EXIT.config;
  }
  const { wallet } = claim.network;
  const proof = await findProof(claim, options.signature);
  const origin_proof = proof === null ? await findOriginProof(claim, options.signature) : null;
  if (proof === null && origin_proof === null) {
    printError(
      "this signature is not by that address over the text of the last 31 days. Print the text again with " +
        '"intel-node wallet proof" and sign exactly its eight lines, or the address alone. A contract wallet ' +
        "cannot be checked offline.",
    );
    return EXIT.failed;
  }
  if (options.json) print(JSON.stringify({ ok: true, wallet, ...(proof ? { proof } : { origin_proof }) }));
  else {
    const line = proof ? `proofs = ["${proof}"]` : `origin_proof = "${origin_proof}"`;
    print(`signed by ${claim.address}. For the configuration:\n[wallets.${wallet}]\n${line}`);
  }
  return EXIT.ok;
}

type Unsigned = Omit<WalletClaim, "issued_at_ms">;

function readClaim(claimant: Claimant, options: VerifyOptions): Unsigned | { readonly faults: string } {
  const { origin, node_id, node_key, networks, config } = claimant;
  const known = networkById(options.network);
  const network = networks.find((one) => one === known || one.wallet === options.network);
  if (!network) {
    return { faults: `--network is one of ${networks.map(({ id, wallet }) => `${wallet} (${id})`).join(", ")}` };
  }
  const pay_to = config.wallets[network.wallet]?.pay_to;
  const isSame = (address: string) =>
    network.wallet === "base" ? address.toLowerCase() === options.address.toLowerCase() : address === options.address;
  if (pay_to === undefined || !isSame(pay_to)) {
    return { faults: `[wallets.${network.wallet}] pay_to is ${pay_to ?? "not set"}, not ${options.address}` };
  }
  return { origin, node_id, node_key, network, address: pay_to };
}

async function findProof(claim: Unsigned, signature: string): Promise<string | null> {
  const today_ms = startOfDay(systemClock.now());
  for (let days = 0; days <= DAYS_BACK; days++) {
    const dated = { ...claim, issued_at_ms: today_ms - days * DAY_MS };
    const published = await checkWalletSignature(dated, signature);
    if (published !== null) return renderProof(dated, published);
  }
  return null;
}

/** The same for a signature over only the node's address, which registries accept on two networks. */
async function findOriginProof({ network, address, origin }: Unsigned, signature: string): Promise<string | null> {
  if (network.wallet === "algorand") return null;
  return checkSignedText({ wallet: network.wallet, address, text: origin, signature });
}
