import { Type } from "@sinclair/typebox";
import { decodeAlgorandAddress, encodeAlgorandAddress } from "../../../core/algorand-address.ts";
import { canonicalJSON, sha256Hex } from "../../../core/hash.ts";
import { createReader } from "../../codec.ts";
import { type PaymentRefusal, refuse } from "../../refusal.ts";
import type { NetworkFamily, SignedPayment } from "../../types.ts";
import { type Network, networkById } from "../table.ts";
import {
  computeGroupId,
  type GroupMember,
  keyOf,
  numberOf,
  parseMember,
  textOf,
  transactionId,
} from "./transaction.ts";

/** Time between two rounds. Measured on the main network; not promised by the protocol. */
const ROUND_MS = 2_800;
/** The protocol lets no transaction be valid for longer. */
const WINDOW_ROUNDS_MAX = 1_000n;
const GROUP_MAX = 16;
/** Cap of the reference facilitator, in micro-ALGO for each transaction of the group. */
const FEE_MAX = 5_000n;

const readPayload = createReader(
  Type.Object(
    {
      paymentGroup: Type.Array(Type.String({ maxLength: 8_192 }), { minItems: 1, maxItems: 100 }),
      paymentIndex: Type.Integer({ minimum: -1_000_000, maximum: 1_000_000 }),
    },
    { additionalProperties: false },
  ),
);

/** Everything else changes whose money moves, how much of it, or who may sign from then on. */
const TRANSFER_FIELDS = new Set(
  ["aamt", "arcv", "fee", "fv", "gen", "gh", "grp", "lv", "lx", "note", "snd", "type", "xaid"], //
);
const FEE_FIELDS = new Set(["fee", "fv", "gen", "gh", "grp", "lv", "note", "rcv", "snd", "type"]);

/** A payment group that was read. Accounts are keys in hex. */
export interface AlgorandPayment {
  readonly members: readonly GroupMember[];
  readonly index: number;
  /** The transaction that pays us. */
  readonly payment: GroupMember;
  /** The transaction that is left to the facilitator to sign. */
  readonly fee_member: GroupMember | null;
  readonly transaction_id: string;
  /** First and last round in which all of it is valid. */
  readonly first_round: number;
  readonly last_round: number;
}

const wrong = (reason: string, hint: string): PaymentRefusal => refuse("invalid_payment", reason, hint);
export const addressOf = (key: string): string => encodeAlgorandAddress(Buffer.from(key, "hex"));

/** Rounds in which every member is valid. */
function readWindow(members: readonly GroupMember[]): readonly [first: number, last: number] {
  const rounds = members.map(({ fields }) => [numberOf(fields, "fv"), numberOf(fields, "lv")] as const);
  let [first, last] = [0n, BigInt(Number.MAX_SAFE_INTEGER)];
  for (const [fv, lv] of rounds) {
    if (fv === null || lv === null || lv < fv || lv - fv > WINDOW_ROUNDS_MAX || lv > Number.MAX_SAFE_INTEGER) {
      const hint = `fv and lv must be rounds, at most ${WINDOW_ROUNDS_MAX} apart.`;
      throw wrong("invalid_validity_window", hint);
    }
    if (fv > first) first = fv;
    if (lv < last) last = lv;
  }
  if (last < first) throw wrong("invalid_validity_window", "There is no round in which the whole group is valid.");
  return [Number(first), Number(last)];
}

/**
 * Reads a payment group: at most 16 transactions in canonical form, one of which pays us and is signed, and at most one
 * of which is left unsigned for the facilitator.
 * @throws PaymentRefusal
 */
export function readAlgorandPayment(payload: Readonly<Record<string, unknown>>): AlgorandPayment {
  const known = READ.get(payload);
  if (known) return known;
  const payment = parsePayment(payload);
  READ.set(payload, payment);
  return payment;
}

/** One payment is read by every step of its way; nobody changes a payload. */
const READ = new WeakMap<Readonly<Record<string, unknown>>, AlgorandPayment>();

function parsePayment(payload: Readonly<Record<string, unknown>>): AlgorandPayment {
  const given = readPayload(payload);
  if (!given) {
    throw wrong("unsupported_payload_type", "The payload must be paymentGroup and paymentIndex, and nothing else.");
  }
  const { paymentGroup, paymentIndex: index } = given;
  if (paymentGroup.length > GROUP_MAX) {
    throw wrong("group_size_exceeded", `A group has at most ${GROUP_MAX} transactions.`);
  }
  const members = paymentGroup.map((text, at) => {
    const member = parseMember(text);
    if (member && member.sender !== "") return member;
    throw wrong("invalid_transaction", `paymentGroup[${at}] is no Algorand transaction in canonical msgpack.`);
  });
  const payment = members[index];
  if (!payment) throw wrong("payment_index", "paymentIndex must be the place of the payment in paymentGroup.");
  if (payment.signature.kind === "none") {
    throw wrong("payment_not_signed", "paymentGroup[paymentIndex] must be signed by the account that pays.");
  }
  const unsigned = members.filter(({ signature }) => signature.kind === "none");
  if (unsigned.length > 1) {
    throw wrong("unsigned_non_facilitator", "Only one transaction, the fee payer's, may be without a signature.");
  }
  const [first_round, last_round] = readWindow(members);
  const named = { transaction_id: transactionId(payment), first_round, last_round };
  return { members, index, payment, fee_member: unsigned[0] ?? null, ...named };
}

/** Genesis part of a CAIP-2 id. */
const genesisOf = ({ id }: Network): string => id.slice(id.indexOf(":") + 1);

export const identifyAlgorandPayment: NetworkFamily["identify"] = ({ network, payload, now_ms }): SignedPayment => {
  const read = readAlgorandPayment(payload);
  const { members, index, payment, fee_member, transaction_id, first_round, last_round } = read;
  // There is one canonical text of a group, whichever base64 it came in.
  const paymentGroup = members.map(({ whole }) => Buffer.from(whole).toString("base64"));
  const payload_json = canonicalJSON({ paymentGroup, paymentIndex: index });
  return {
    replay_key: `avm:${genesisOf(network)}:${transaction_id}`,
    payload_hash: sha256Hex(payload_json),
    payload_json,
    payer: addressOf(payment.sender),
    fee_payer: fee_member ? addressOf(fee_member.sender) : null,
    // It carries rounds, not times: if its first round is not over yet, this is when its last one is.
    valid_until_ms: now_ms + (last_round - first_round) * ROUND_MS,
  };
};

/** The whole genesis hash, which every transaction names, in hex. */
function genesisHashOf(network: Network | undefined): string {
  const whole = (network?.aliases ?? []).map((id) => Buffer.from(id.slice(id.indexOf(":") + 1), "base64"));
  const hash = whole.find((bytes) => bytes.length === 32);
  if (!hash) throw new Error("the network table holds no genesis hash of this network");
  return hash.toString("hex");
}

/** A name that must not be there, if there is one. */
const strangeField = ({ fields }: GroupMember, allowed: ReadonlySet<string>): string | undefined =>
  [...fields.keys()].find((name) => !allowed.has(name));

/** What the facilitator would sign: nothing that costs more than a fee. */
function checkFeeMember(member: GroupMember, group_size: number): void {
  const strange = strangeField(member, FEE_FIELDS);
  const { fields, sender } = member;
  if (textOf(fields, "type") !== "pay" || strange !== undefined || keyOf(fields, "rcv") !== sender) {
    const hint = "The fee payer's transaction must be a payment of 0 to itself, without close, rekey or lease.";
    throw wrong("invalid_fee_payer", hint);
  }
  const fee = numberOf(fields, "fee");
  const fee_max = FEE_MAX * BigInt(group_size);
  if (fee === null || fee > fee_max) throw wrong("fee_too_high", `The fee must be at most ${fee_max} micro-ALGO.`);
}

/** The transaction that pays us, against the requirement. */
function checkTransfer({ payment }: AlgorandPayment, { asset, payTo, amount }: Parameters<Check>[0]["requirement"]) {
  const { fields } = payment;
  if (textOf(fields, "type") !== "axfer") {
    throw wrong("not_asset_transfer", "paymentGroup[paymentIndex] must be an asset transfer (axfer).");
  }
  const strange = strangeField(payment, TRANSFER_FIELDS);
  if (strange !== undefined) {
    throw wrong("unexpected_field", `The transfer must not hold "${strange.slice(0, 20)}": plain transfers only.`);
  }
  if (numberOf(fields, "xaid") !== BigInt(asset)) throw wrong("asset_mismatch", `The asset must be ${asset}.`);
  if (keyOf(fields, "arcv") !== Buffer.from(decodeAlgorandAddress(payTo) ?? []).toString("hex")) {
    throw wrong("recipient_mismatch", `The receiver must be ${payTo}.`);
  }
  if (numberOf(fields, "aamt") !== BigInt(amount)) {
    throw refuse("amount_mismatch", "amount_mismatch", `The transfer must be over exactly ${amount}.`);
  }
}

type Check = NetworkFamily["check"];

/** Checks 1-5 of the Algorand `exact` scheme: group, genesis, transfer, fee payer, who signs what. */
export const checkAlgorandPayment: Check = ({ requirement, payload, fee_payers }) => {
  const read = readAlgorandPayment(payload);
  const { members, fee_member } = read;
  const genesis = genesisHashOf(networkById(requirement.network));
  if (members.some(({ fields }) => keyOf(fields, "gh") !== genesis)) {
    throw wrong("network_mismatch", "Every transaction must name the genesis hash of the network.");
  }
  checkTransfer(read, requirement);
  if (fee_member && !fee_payers.includes(addressOf(fee_member.sender))) {
    throw wrong("unsigned_non_facilitator", "The unsigned transaction is not the facilitator's: fetch a fresh 402.");
  }
  if (members.some((member) => member !== fee_member && fee_payers.includes(addressOf(member.sender)))) {
    throw wrong("facilitator_transferring", "The facilitator's account must send nothing but the fee.");
  }
  if (fee_member) checkFeeMember(fee_member, members.length);
  const is_grouped = members.length > 1 || members.some(({ fields }) => fields.has("grp"));
  const group = is_grouped ? computeGroupId(members) : "";
  if (members.some(({ fields }) => keyOf(fields, "grp") !== group)) {
    throw wrong("invalid_group_id", "All transactions must carry the id of exactly this group.");
  }
};

/** The signed fields by the names of a requirement. */
export const describeAlgorandPayment: NonNullable<NetworkFamily["describe"]> = (payload) => {
  const { fields } = readAlgorandPayment(payload).payment;
  const receiver = keyOf(fields, "arcv");
  return {
    amount: String(numberOf(fields, "aamt") ?? ""),
    ...(receiver === "" ? {} : { payTo: addressOf(receiver) }),
  };
};
