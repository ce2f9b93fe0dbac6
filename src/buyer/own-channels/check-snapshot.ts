import { type Static, Type } from "@sinclair/typebox";
import { decodeChallengeHeader, readChallenge } from "../../challenge-reader/read-challenge.ts";
import { compileSchema } from "../../core/compile-schema.ts";
import { listAt, valueAt } from "../../core/json-values.ts";
import { SCHEME } from "../../payments/channels/contract.ts";

/** What this node knows of a channel, against which a seller's snapshot is held. Atomic USDC. */
export interface KnownChannel {
  readonly id: string;
  readonly network: string;
  readonly payer: string;
  /** What lies in it for certain: paid in, less what came back. */
  readonly balance: bigint;
  /** By the last snapshot that added up. */
  readonly charged: bigint;
  /** The highest sum this node signed. */
  readonly signed: bigint;
  /** The most that this call may cost; 0 for what is no call. */
  readonly price: bigint;
}

/** What a seller says of a channel, where it adds up. */
export interface SellerSnapshot {
  /** Of this call. */
  readonly amount: bigint;
  /** In all. */
  readonly charged: bigint;
  readonly balance: bigint;
}

/** A snapshot that adds up; why it does not; or "none" where the seller says nothing. */
export type SnapshotCheck = { readonly snapshot: SellerSnapshot } | { readonly fault: string } | "none";

const Amount = Type.String({ pattern: "^(0|[1-9][0-9]{0,14})$" });
const State = Type.Object(
  {
    channelId: Type.String({ maxLength: 80 }),
    balance: Amount,
    totalClaimed: Type.Optional(Amount),
    chargedCumulativeAmount: Amount,
  },
  { additionalProperties: true },
);
const Paid = Type.Object({ chargedAmount: Amount, channelState: State }, { additionalProperties: true });
const Voucher = Type.Object(
  { signedMaxClaimable: Amount, signature: Type.String({ pattern: "^0x[0-9a-fA-F]{2,4096}$" }) },
  { additionalProperties: true },
);
const checkState = compileSchema(State);
const checkPaid = compileSchema(Paid);
const checkVoucher = compileSchema(Voucher);

const isSame = (said: unknown, known: string): boolean =>
  typeof said === "string" && said.toLowerCase() === known.toLowerCase();

/** What has to be true of every snapshot. @returns why it is not. */
function findFault(state: Static<typeof State>, known: KnownChannel): string | null {
  const [balance, charged] = [BigInt(state.balance), BigInt(state.chargedCumulativeAmount)];
  if (!isSame(state.channelId, known.id)) return "it is of another channel";
  if (charged > known.signed) return `${charged} were charged, and ${known.signed} signed`;
  if (BigInt(state.totalClaimed ?? "0") > charged) return "more was claimed than charged";
  if (balance < known.balance) return `its balance is ${balance}, and ${known.balance} lie in it`;
  return charged > balance ? "more was charged than lies in it" : null;
}

/** The snapshot beside an answer, of the header PAYMENT-RESPONSE. */
export function checkPaidSnapshot(header: string | null, known: KnownChannel): SnapshotCheck {
  if (header === null) return "none";
  const settlement = decodeChallengeHeader(header);
  const extra = valueAt(settlement, "extra");
  if (valueAt(settlement, "success") !== true || extra === undefined) return "none";
  if (!checkPaid.Check(extra)) return { fault: "it is not in the form that the scheme gives it" };
  const network = valueAt(settlement, "network");
  const payer = valueAt(settlement, "payer");
  if (!isSame(network, known.network)) return { fault: "it is of another network" };
  if (payer !== undefined && !isSame(payer, known.payer)) return { fault: "it names another payer" };
  const { channelState: state, chargedAmount } = extra;
  const fault = findFault(state, known);
  if (fault !== null) return { fault };
  const [amount, charged] = [BigInt(chargedAmount), BigInt(state.chargedCumulativeAmount)];
  if (amount > known.price) return { fault: `${amount} were charged, and the price is ${known.price}` };
  if (charged !== known.charged + amount) {
    return { fault: `${known.charged} and ${amount} were charged, and it says ${charged}` };
  }
  return { snapshot: { amount, charged, balance: BigInt(state.balance) } };
}

/** The snapshot beside a refund: nothing was charged for it, and what was charged before is still there. */
export function checkRefundSnapshot(header: string | null, known: KnownChannel): SnapshotCheck {
  const settlement = header === null ? undefined : decodeChallengeHeader(header);
  const state = valueAt(settlement, "extra", "channelState");
  if (valueAt(settlement, "success") !== true || state === undefined) return "none";
  if (!checkState.Check(state)) return { fault: "it is not in the form that the scheme gives it" };
  const { charged } = known;
  const fault = findFault(state, { ...known, balance: charged });
  if (fault !== null) return { fault };
  const told = BigInt(state.chargedCumulativeAmount);
  if (told !== charged) return { fault: `${charged} were charged, and it says ${told}` };
  return { snapshot: { amount: 0n, charged, balance: BigInt(state.balance) } };
}

const CORRECTIVE: readonly unknown[] = [
  "invalid_batch_settlement_evm_cumulative_amount_mismatch",
  "invalid_batch_settlement_evm_cumulative_below_claimed",
];

/** Whether this node signed for so much in this channel. */
export type IsOwnVoucher = (total: bigint, signature: string) => Promise<boolean>;

/** Where a seller's books stand, and the highest voucher it has of this node. */
export interface BookCorrection extends Omit<SellerSnapshot, "amount"> {
  readonly signed: bigint;
}

/**
 * The snapshot in a 402 that asks for another sum. What this node forgot (a restored backup) may be in it, as far as
 * it signed for it.
 */
export async function checkCorrection(
  answer: { readonly headers: Headers; readonly text: string },
  known: KnownChannel,
  isOwn: IsOwnVoucher,
): Promise<{ readonly correction: BookCorrection } | { readonly fault: string } | "none"> {
  const { header_value, body_value } = readChallenge({ headers: answer.headers, body: answer.text });
  const terms = header_value ?? body_value;
  if (!CORRECTIVE.includes(valueAt(terms, "error"))) return "none";
  const isChannel = (one: unknown): boolean =>
    valueAt(one, "scheme") === SCHEME && isSame(valueAt(one, "network"), known.network);
  const extra = valueAt(listAt(terms, "accepts").find(isChannel), "extra");
  const state = valueAt(extra, "channelState");
  const voucher = valueAt(extra, "voucherState");
  if (state === undefined || state === null) return "none";
  if (!checkState.Check(state)) return { fault: "it is not in the form that the scheme gives it" };
  let { signed } = known;
  if (voucher !== undefined && voucher !== null) {
    if (!checkVoucher.Check(voucher)) return { fault: "its voucher is not in the form that the scheme gives it" };
    const total = BigInt(voucher.signedMaxClaimable);
    if (!(await isOwn(total, voucher.signature))) return { fault: "its voucher is not signed by this node" };
    if (BigInt(state.chargedCumulativeAmount) > total) return { fault: "more was charged than its voucher allows" };
    if (total > signed) signed = total;
  }
  const fault = findFault(state, { ...known, signed });
  if (fault !== null) return { fault };
  return { correction: { charged: BigInt(state.chargedCumulativeAmount), balance: BigInt(state.balance), signed } };
}
