import type { Clock } from "../../../core/clock.ts";
import { isSolanaAddress } from "../../../core/solana-address.ts";
import { findTokenAccount } from "../../../payments/networks/solana/token-account.ts";
import { networkById } from "../../../payments/networks/table.ts";
import type { Journal } from "../../journal.ts";
import type { ChainView, SandboxChain } from "../types.ts";
import { pickWords } from "../words.ts";
import { createBank } from "./bank.ts";
import { heightAt } from "./blocks.ts";
import { execute } from "./execute.ts";
import { createOfficialFacilitator, FEE_PAYER, type SolanaSettleAnswer, signAsFeePayer } from "./facilitator.ts";
import { createSolanaRPC } from "./rpc.ts";

const NETWORK = "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1";

export interface SolanaChainOptions {
  readonly clock: Clock;
  readonly journal: Journal;
  /** The most settlements of this chain; further ones are refused, because none is ever forgotten. */
  readonly settlements_max?: number;
}

/** Solana devnet in memory: one token, real signatures, block hashes that grow old, the official facilitator on it. */
export function createSolanaChain({ clock, journal, settlements_max = 100_000 }: SolanaChainOptions): SandboxChain {
  const network = networkById(NETWORK);
  if (!network) throw new Error(`${NETWORK} is not in the network table`);
  const { asset: mint } = network;
  const bank = createBank({ network: NETWORK, mint, journal });
  const findAccount = (owner: string): string => findTokenAccount(owner, mint);
  const now = (): number => clock.now();
  const attempt = (wire: string) => execute(wire, { bank, mint, height: heightAt(now()), findAccount });

  const facilitator = createOfficialFacilitator({
    async simulate(wire) {
      const { error } = await attempt(wire);
      if (error !== null) throw new Error(`Simulation failed: ${JSON.stringify(error)}`);
    },
    async send(wire) {
      const outcome = await attempt(wire);
      if (outcome.error !== null || !outcome.landed) throw new Error(`not landed: ${JSON.stringify(outcome)}`);
      const { message, ...landed } = outcome.landed;
      const signed = signAsFeePayer(wire, message);
      bank.land({ ...landed, ...signed, at_ms: now() });
      return signed.signature;
    },
    find: (signature) => bank.booked.findLast((row) => row.signature === signature)?.wire ?? null,
  });
  /** Remembers the seller's wallet of a payment. */
  const know = (requirement: unknown): void => {
    const pay_to =
      typeof requirement === "object" && requirement !== null && "payTo" in requirement ? requirement.payTo : null;
    if (typeof pay_to === "string" && isSolanaAddress(pay_to)) bank.know(pay_to);
  };

  /** Runs settles one after the other, so that the second of two conflicting ones sees the first. */
  let last: Promise<unknown> = Promise.resolve();
  const settle = async (payload: unknown, requirement: unknown): Promise<SolanaSettleAnswer> => {
    if (bank.booked.length >= settlements_max) {
      return { success: false, transaction: "", errorReason: "invalid_exact_svm_transaction_failed" };
    }
    know(requirement);
    return facilitator.settle(payload, requirement);
  };

  const rpc = createSolanaRPC({ mint, bank, now_ms: now, findAccount });
  const rpcOf = ({ now_ms, sees }: ChainView) => {
    const booked = bank.booked.filter(({ at_ms }) => sees(at_ms));
    return createSolanaRPC({ mint, bank: { ...bank, booked }, now_ms, findAccount });
  };

  return {
    network: NETWORK,
    rpc_name: network.chain,
    fund: bank.fund,
    setAccount: bank.accounts.set,
    introduce: (address) => {
      if (isSolanaAddress(address)) bank.know(address);
    },
    balances: bank.balances,
    balanceOf: (address) => (isSolanaAddress(address) ? bank.balanceOf(findAccount(address)) : null),
    settlements: () =>
      bank.booked.map(({ payer, destination, amount, signature, message_sha256, at_ms }) => ({
        network: NETWORK,
        payer,
        pay_to: bank.ownerOf(destination) ?? destination,
        amount_atomic: amount,
        transaction: signature,
        replay_key: `svm:${NETWORK.slice("solana:".length)}:${message_sha256}`,
        at: new Date(at_ms).toISOString(),
      })),
    async verify(payload, requirement) {
      know(requirement);
      const { isValid, payer, ...words } = await facilitator.verify(payload, requirement);
      return { isValid, ...pickWords(words), ...(payer ? { payer } : {}) };
    },
    async settle(payload, requirement) {
      const mine = last.then(() => settle(payload, requirement));
      last = mine.catch(() => undefined);
      const { success, transaction, payer, ...words } = await mine;
      return { success, transaction, network: NETWORK, ...pickWords(words), ...(payer ? { payer } : {}) };
    },
    rpc: (request, view) => (view ? rpcOf(view) : rpc)(request),
    supportedKinds: () => [
      { x402Version: 2, scheme: "exact", network: NETWORK, extra: { feePayer: FEE_PAYER } },
      { x402Version: 1, scheme: "exact", network: network.v1_name, extra: { feePayer: FEE_PAYER } },
    ],
    signers: () => ({ "solana:*": [FEE_PAYER] }),
  };
}
