import {
  type FetchContext,
  findNetwork,
  findUSDC,
  isPayToValid,
  isTestNetwork,
  isUSDC,
  outcomeOf,
  type PaymentTerm,
  requireNetwork,
} from "intel-node";
import { HISTORY_CHAINS, type HistoryChain } from "intel-node/providers/blockscout/address-history";
import { blockscout } from "intel-node/providers/blockscout/provider";
import { fetchTokenReceipts, RECEIPTS_PAGE } from "intel-node/providers/blockscout/token-receipts";
import { fetchEvmAccount } from "intel-node/providers/evm-rpc/account";
import { evmRpc } from "intel-node/providers/evm-rpc/provider";
import { solanaRpc } from "intel-node/providers/solana-rpc/provider";
import { fetchSolanaWallet } from "intel-node/providers/solana-rpc/wallet";
import type { AuditData } from "./schema.ts";

export type PayToHistory = AuditData["pay_to_history"][number];

const SOLANA = requireNetwork("solana").id;
/** The chain of a network whose explorer is read; undefined for any other. */
const chainOf = (network: string): HistoryChain | undefined =>
  HISTORY_CHAINS.find((chain) => chain === findNetwork(network)?.name);
const ASKED_MAX = 4;
const UNKNOWN = { account_type: null, payments: null, is_capped: false, payers: null, last_paid_at: null } as const;

/** One address by the chain's explorer and a node: USDC it was paid, and its kind of account. */
async function readEvm(context: FetchContext, chain: HistoryChain, term: PaymentTerm) {
  const { network, pay_to: address } = term;
  const token = (findUSDC(network)?.asset ?? term.asset).toLowerCase();
  const [account, receipts] = await Promise.all([
    context.usable(evmRpc) ? outcomeOf(fetchEvmAccount(context, { chain, address })) : null,
    context.usable(blockscout) ? outcomeOf(fetchTokenReceipts(context, { chain, address, token })) : null,
  ]);
  const account_type = account?.ok ? account.value.type : null;
  if (!receipts?.ok) return { ...UNKNOWN, account_type };
  const paid = receipts.value.filter(({ value }) => value > 0n);
  const last_ms = Math.max(0, ...paid.map(({ at_ms }) => at_ms));
  return {
    account_type,
    payments: paid.length,
    is_capped: receipts.value.length >= RECEIPTS_PAGE,
    payers: new Set(paid.map(({ from }) => from)).size,
    last_paid_at: last_ms === 0 ? null : new Date(last_ms).toISOString(),
  };
}

/** Solana's nodes list a wallet's holdings: USDC in it was paid once. Money sent on since is not seen. */
async function readSolana(context: FetchContext, { pay_to: address }: PaymentTerm) {
  const wallet = context.usable(solanaRpc) ? await outcomeOf(fetchSolanaWallet(context, { address })) : null;
  const holds = wallet?.ok && wallet.value.tokens.some(({ mint }) => isUSDC({ network: SOLANA, asset: mint }));
  return { ...UNKNOWN, ...(holds ? { payments: 1, is_capped: true } : {}) };
}

/** What the addresses that would be paid were paid before; nothing of test networks, which prove nothing. */
export async function fetchHistory(
  context: FetchContext,
  accepts: readonly PaymentTerm[],
): Promise<readonly PayToHistory[]> {
  const of = new Map(
    accepts
      .filter((term) => isTestNetwork(term.network) !== true && isPayToValid(term))
      .map((term) => [`${term.network} ${term.pay_to.toLowerCase()}`, term]),
  );
  return Promise.all(
    [...of.values()].slice(0, ASKED_MAX).map(async (term): Promise<PayToHistory> => {
      const { network, pay_to: address } = term;
      const chain = chainOf(network);
      const read = chain
        ? await readEvm(context, chain, term)
        : network === SOLANA
          ? await readSolana(context, term)
          : UNKNOWN;
      return { network, address, ...read };
    }),
  );
}
