import type { SignedTransaction, Transaction } from "algosdk";
import type { AlgorandBank, AlgorandLanded, Transfer } from "./bank.ts";

const GROUP_MAX = 16;
const FEE_MIN = 1_000n;
const WINDOW_ROUNDS_MAX = 1_000n;

/** The facts about a chain that its rules depend on. */
export interface Rules {
  /** 32 bytes, base64. */
  readonly genesis_hash: string;
  readonly genesis_id: string;
  /** The only asset. */
  readonly asset: bigint;
}

export interface AlgorandRun {
  readonly rules: Rules;
  readonly bank: AlgorandBank;
  /** The newest round that has a block. */
  readonly last_round: number;
}

/** Result of running a group: an error in the words of algod, or what it would move in the next round. */
export type AlgorandExecution =
  | { readonly error: string }
  | { readonly error: null; readonly landed: Omit<AlgorandLanded, "at_ms"> };

type Library = typeof import("./algosdk.ts");
class Refused extends Error {
  override readonly name = "Refused";
}
function requires(holds: boolean, words: string): asserts holds {
  if (!holds) throw new Refused(words);
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");

/** The rules that each transaction must keep by itself. */
function checkTransaction(txn: Transaction, { rules, bank, last_round }: AlgorandRun): void {
  const hash = txn.genesisHash ? base64(txn.genesisHash) : "";
  requires(hash === rules.genesis_hash, `tx.GenesisHash ${hash} does not match expected ${rules.genesis_hash}`);
  const id = txn.genesisID;
  requires(!id || id === rules.genesis_id, `tx.GenesisID ${id} does not match expected ${rules.genesis_id}`);
  const { firstValid: fv, lastValid: lv } = txn;
  requires(lv >= fv && lv - fv <= WINDOW_ROUNDS_MAX, `transaction window size excessive (${fv}--${lv})`);
  const next = BigInt(last_round + 1);
  requires(fv <= next && next <= lv, `txn dead: round ${next} outside of ${fv}--${lv}`);
  requires(bank.find(txn.txID()) === undefined, `transaction already in ledger: ${txn.txID()}`);
  requires(txn.rekeyTo === undefined, "rekeying is not simulated");
}

/** The group id covers the transactions without their group field, which the library would include in the hash. */
function checkGroup(group: readonly Transaction[], library: Library): void {
  const ids = group.map((txn) => (txn.group ? base64(txn.group) : ""));
  const [first = ""] = ids;
  requires(
    ids.every((id) => id === first),
    "transactionGroup: inconsistent group values",
  );
  requires(group.length === 1 || first !== "", "transactionGroup: group of more than one without a group id");
  if (first === "") return;
  const copies = group.map((txn) => {
    const copy = library.decodeUnsignedTransaction(library.encodeUnsignedTransaction(txn));
    delete copy.group;
    return copy;
  });
  const wanted = base64(library.computeGroupID(copies));
  requires(first === wanted, `transactionGroup: incomplete group: ${first} != ${wanted}`);
}

async function checkSignature({ txn, sig, msig, lsig, sgnr }: SignedTransaction, library: Library): Promise<void> {
  const message = txn.bytesToSign();
  const { publicKey } = txn.sender;
  requires(sgnr === undefined, "should have been authorized by the sender: no account is rekeyed here");
  requires(lsig === undefined, "logic signatures are not simulated");
  requires((sig === undefined) !== (msig === undefined), "signedtxn has no sig");
  if (msig) {
    requires(library.verifyMultisig(message, msig, publicKey), "multisig validation failed");
    return;
  }
  const key = await crypto.subtle.importKey("raw", Uint8Array.from(publicKey), "Ed25519", false, ["verify"]);
  const good = await crypto.subtle.verify("Ed25519", key, Uint8Array.from(sig ?? []), Uint8Array.from(message));
  requires(good, "At least one signature didn't pass verification");
}

/** Applies one transaction to the balances so far. */
function move(txn: Transaction, holdings: Map<string, bigint | null>, { rules, bank }: AlgorandRun): Transfer | null {
  const holdingOf = (address: string): bigint | null => holdings.get(address) ?? bank.holdingOf(address);
  if (txn.payment) {
    const { amount, closeRemainderTo } = txn.payment;
    requires(amount === 0n && closeRemainderTo === undefined, "nobody holds Algos here");
    return null;
  }
  const { assetTransfer } = txn;
  requires(assetTransfer !== undefined, `transactions of type ${txn.type} are not simulated`);
  const { assetIndex, amount, receiver, assetSender, closeRemainderTo } = assetTransfer;
  const [from, to] = [txn.sender.toString(), receiver.toString()];
  requires(assetSender === undefined && closeRemainderTo === undefined, "clawback and close are not simulated");
  requires(assetIndex === rules.asset, `asset ${assetIndex} missing from ${from}`);
  if (from === to && amount === 0n && holdingOf(from) === null) {
    holdings.set(from, 0n);
    return { transaction: txn.txID(), from, to, amount: "0" };
  }
  const held = holdingOf(from);
  requires(held !== null, `asset ${assetIndex} missing from ${from}`);
  const frozen = [from, to].find((address) => bank.accounts.stateOf(address) === "frozen");
  requires(frozen === undefined, `asset ${assetIndex} frozen in ${frozen}`);
  requires(amount <= held, `underflow on subtracting ${amount} from sender amount ${held}`);
  holdings.set(from, held - amount);
  const received = holdingOf(to);
  requires(received !== null, `receiver error: must optin, asset ${assetIndex} missing from ${to}`);
  holdings.set(to, received + amount);
  return { transaction: txn.txID(), from, to, amount: amount.toString() };
}

/**
 * Runs a group as the next block would: entirely or not at all.
 */
export async function execute(group: readonly SignedTransaction[], run: AlgorandRun): Promise<AlgorandExecution> {
  const library = await import("./algosdk.ts");
  try {
    requires(group.length > 0 && group.length <= GROUP_MAX, `group size ${group.length} exceeds maximum ${GROUP_MAX}`);
    const transactions = group.map(({ txn }) => txn);
    for (const txn of transactions) checkTransaction(txn, run);
    requires(new Set(transactions.map((txn) => txn.txID())).size === group.length, "the same transaction twice");
    checkGroup(transactions, library);
    for (const member of group) await checkSignature(member, library);
    const fees = transactions.reduce((sum, { fee }) => sum + fee, 0n);
    const least = FEE_MIN * BigInt(group.length);
    requires(fees >= least, `txgroup had ${fees} in fees, which is less than the minimum ${least}`);
    const holdings = new Map<string, bigint | null>();
    const transfers = transactions.flatMap((txn) => move(txn, holdings, run) ?? []);
    const members = group.map((one) => ({ id: one.txn.txID(), wire: base64(library.encodeMsgpack(one)) }));
    return { error: null, landed: { members, transfers, round: run.last_round + 1 } };
  } catch (error) {
    if (error instanceof Refused) return { error: error.message };
    throw error;
  }
}
