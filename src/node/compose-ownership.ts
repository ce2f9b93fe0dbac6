import type { Config } from "../config/schema.ts";
import { renderTime } from "../core/clock.ts";
import type { NodeIdentity } from "../core/identity.ts";
import { findIdentity, findNextIdentity } from "../files/identity-file.ts";
import { checkOwnership, type NamedKey, type NodeNames, type OwnedWallet } from "../payments/ownership.ts";
import type { WalletClaimView } from "../surfaces/types.ts";
import { walletsOf } from "./compose-payments.ts";
import type { OfferedWallet } from "./parts.ts";

/** What is configured as signed by a wallet is not: the node does not start. */
export class OwnershipError extends Error {
  override readonly name = "OwnershipError";
}

const namedKey = ({ node_id, public_key }: Pick<NodeIdentity, "node_id" | "public_key">): NamedKey => ({
  node_id,
  node_key: public_key,
});

const unproven = ({ network, pay_to: address }: OfferedWallet): OwnedWallet => ({
  network,
  address,
  proof: null,
  other_keys: 0,
  origin_signature: null,
  faults: [],
});

/** Checks what the wallets of a configuration signed about a node. */
async function checkWallets(config: Config, names: NodeNames): Promise<readonly OwnedWallet[]> {
  const by_origin = originProofsOf(config);
  return Promise.all(
    walletsOf(config, config.payments.testnet).map(({ network, pay_to: address }) => {
      const { proofs = [] } = config.wallets[network.wallet] ?? {};
      return checkOwnership({ network, address, proofs, origin_proof: by_origin[network.wallet] }, names);
    }),
  );
}

/** Registries know this kind of signature on two networks. */
const originProofsOf = ({ wallets: { base, solana } }: Config) => ({
  base: base?.origin_proof,
  solana: solana?.origin_proof,
  algorand: undefined,
});

const isSigned = (config: Config): boolean =>
  Object.values(config.wallets).some(({ proofs }) => proofs.length > 0) ||
  Object.values(originProofsOf(config)).some((proof) => proof !== undefined);

export interface OwnershipOptions {
  readonly config: Config;
  readonly data_dir: string;
  /** Null where the node has no key yet. */
  readonly identity: NodeIdentity | null;
}

const ADDRESSLESS = "[wallets] what a wallet signed names the node's address: set [node] public_url";
const keyless = (data_dir: string) =>
  `[wallets] what the wallets signed names a node key, and there is none in ${data_dir}: put node-key.pem back, or ` +
  'take the proofs out and sign again what "intel-node wallet proof" prints';

/** The receiving addresses and how well each is proven, with the faults of all of them. */
async function findOwnership(
  options: OwnershipOptions,
): Promise<{ readonly wallets: readonly OwnedWallet[]; readonly faults: readonly string[] }> {
  const { config, data_dir, identity } = options;
  const { public_url: origin } = config.node;
  if (!isSigned(config)) return { wallets: walletsOf(config, config.payments.testnet).map(unproven), faults: [] };
  if (origin === undefined) return { wallets: [], faults: [ADDRESSLESS] };
  if (identity === null) return { wallets: [], faults: [keyless(data_dir)] };
  const next = findNextIdentity(data_dir);
  const others = [...identity.retired, ...(next === null ? [] : [next])].map(namedKey);
  const wallets = await checkWallets(config, { origin, present: namedKey(identity), others });
  return { wallets, faults: wallets.flatMap(({ faults }) => faults) };
}

/** A configured wallet, and whether it signed for a key of this node. */
export interface SignedFor {
  /** As people call it. */
  readonly network: string;
  readonly is_signed: boolean;
}

/** Which of the configured wallets signed for a key, under the present address, and not too long ago. */
export async function listSignedFor(config: Config, key: NodeIdentity, now_ms: number): Promise<readonly SignedFor[]> {
  const { public_url: origin } = config.node;
  const names = { present: namedKey(key), others: [] };
  const wallets =
    origin === undefined
      ? walletsOf(config, config.payments.testnet).map(unproven)
      : await checkWallets(config, { origin, ...names });
  return wallets.map(({ network, proof }) => ({
    network: network.title,
    is_signed: proof !== null && proof.expires_at_ms > now_ms,
  }));
}

/** As `findOwnership`, for a command that starts nothing. */
export const findOwnershipFaults = async (config: Config): Promise<readonly string[]> => {
  const { dir: data_dir } = config.data;
  return (await findOwnership({ config, data_dir, identity: findIdentity(data_dir) })).faults;
};

/** @throws OwnershipError when a configured proof does not hold. */
export async function loadOwnership(options: OwnershipOptions): Promise<readonly OwnedWallet[]> {
  const { wallets, faults } = await findOwnership(options);
  if (faults.length > 0) throw new OwnershipError(faults.join("\n"));
  return wallets;
}

/** A receiving address as the public documents show it at a time. A statement from the future proves nothing yet. */
export function viewWallet({ network, address, proof }: OwnedWallet, now_ms: number): WalletClaimView {
  const { wallet } = network;
  if (proof === null || proof.issued_at_ms > now_ms) {
    return { network: proof?.network ?? network.id, wallet, address, status: "unproven" };
  }
  const { method, statement, signature, issued_at_ms, expires_at_ms } = proof;
  return {
    network: proof.network,
    wallet,
    address,
    status: expires_at_ms <= now_ms ? "expired" : "proven",
    method,
    statement,
    signature,
    issued_at: renderTime(issued_at_ms),
    expires_at: renderTime(expires_at_ms),
  };
}

/** Sandbox: nothing is proven there, so that a demo is never taken for a real node. */
export const sandboxOwnership = (config: Config): readonly OwnedWallet[] => walletsOf(config, true).map(unproven);
