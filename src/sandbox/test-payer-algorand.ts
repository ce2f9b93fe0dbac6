import type { Transaction } from "algosdk";
import { sha256Hex } from "../core/hash.ts";

/** A wallet for tests and demonstrations on Algorand. Its key follows from a public seed: never use it for real. */
export interface AlgorandTestPayer {
  readonly address: string;
  /** Ed25519 seed, then the public key: the form that the official client takes, there in base64. */
  readonly secret: Uint8Array;
}

const GROUP_MAX = 16;

/** The terms that a payer signs. Amounts in the asset's smallest unit. A test may set any of them wrong. */
export interface AlgorandTestTransfer {
  /** Base64. */
  readonly genesis_hash: string;
  readonly genesis_id?: string;
  readonly asset: bigint;
  readonly to: string;
  readonly amount: bigint;
  readonly first_round: number;
  /** 10 more by default, as in the official client. */
  readonly last_round?: number;
  /** Null: the payer pays the fee, in a group of one. */
  readonly fee_payer: string | null;
  /** Micro-ALGO of the whole group. */
  readonly fee?: bigint;
  readonly note?: string;
  /** Changes the transactions before they are grouped. */
  readonly change?: (group: readonly Transaction[]) => readonly Transaction[];
  /** Changes the group id, and members that the id is not to cover. */
  readonly regroup?: (group: readonly Transaction[]) => void;
  /** Indices in the group that stay unsigned, besides transactions of other accounts. */
  readonly unsigned?: readonly number[];
}

export async function createAlgorandTestPayer(seed: string | Uint8Array): Promise<AlgorandTestPayer> {
  const { mnemonicFromSeed, mnemonicToSecretKey } = await import("./chains/algorand/algosdk.ts");
  const bytes = typeof seed === "string" ? Buffer.from(sha256Hex(`sandbox payer ${seed}`), "hex") : seed;
  const { addr, sk } = mnemonicToSecretKey(mnemonicFromSeed(bytes));
  return { address: addr.toString(), secret: sk };
}

/** The transactions that official clients write: the fee payer's, if there is one, and the transfer. */
async function createGroup(payer: AlgorandTestPayer, transfer: AlgorandTestTransfer): Promise<Transaction[]> {
  const { makeAssetTransferTxnWithSuggestedParamsFromObject, makePaymentTxnWithSuggestedParamsFromObject } =
    await import("./chains/algorand/algosdk.ts");
  const { first_round, last_round = first_round + 10, fee_payer, asset, to, amount } = transfer;
  const { note = crypto.randomUUID(), fee = fee_payer === null ? 1_000n : 2_000n } = transfer;
  const params = (own_fee: bigint) => ({
    flatFee: true,
    fee: own_fee,
    minFee: 1_000n,
    firstValid: first_round,
    lastValid: last_round,
    genesisHash: Buffer.from(transfer.genesis_hash, "base64"),
    ...(transfer.genesis_id === undefined ? {} : { genesisID: transfer.genesis_id }),
  });
  const pays = makeAssetTransferTxnWithSuggestedParamsFromObject({
    sender: payer.address,
    receiver: to,
    assetIndex: asset,
    amount,
    note: Buffer.from(note),
    suggestedParams: params(fee_payer === null ? fee : 0n),
  });
  if (fee_payer === null) return [pays];
  const pays_fee = makePaymentTxnWithSuggestedParamsFromObject({
    sender: fee_payer,
    receiver: fee_payer,
    amount: 0n,
    suggestedParams: params(fee),
  });
  return [pays_fee, pays];
}

/**
 * The `payload` of an `exact` payment on Algorand, signed by the payer exactly with the given terms, right or wrong. It
 * uses another library than the node's own payment code, so that the two can disagree.
 */
export async function signAlgorandTransfer(payer: AlgorandTestPayer, transfer: AlgorandTestTransfer) {
  const { assignGroupID, encodeUnsignedTransaction } = await import("./chains/algorand/algosdk.ts");
  const planned = await createGroup(payer, transfer);
  const group = [...(transfer.change?.(planned) ?? planned)];
  // The library refuses to group more than 16.
  if (group.length > 1 && group.length <= GROUP_MAX) assignGroupID(group);
  transfer.regroup?.(group);
  const paymentGroup = group.map((txn, at) => {
    const signs = txn.sender.toString() === payer.address && !transfer.unsigned?.includes(at);
    return Buffer.from(signs ? txn.signTxn(payer.secret) : encodeUnsignedTransaction(txn)).toString("base64");
  });
  const paymentIndex = transfer.fee_payer === null ? 0 : 1;
  return { paymentGroup, paymentIndex };
}
