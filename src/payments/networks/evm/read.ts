import { type Static, Type } from "@sinclair/typebox";
import { sha256Hex } from "../../../core/hash.ts";
import { parseAtomic } from "../../../core/money.ts";
import { createReader } from "../../codec.ts";
import { refuse } from "../../refusal.ts";
import type { NetworkFamily, SignedPayment } from "../../types.ts";
import { UPTO } from "../../upto/contract.ts";
import { ADDRESS, cutSeconds, DIGITS, SETTLE_MARGIN_S, SIGNATURE } from "./forms.ts";
import { spellSignature } from "./key-signature.ts";
import { checkPermit, describePermit, identifyPermit, readPermit2, renderPermit } from "./read-permit2.ts";

/** EIP-3009, and nothing else. */
const Eip3009 = Type.Object(
  {
    signature: Type.String({ pattern: SIGNATURE }),
    authorization: Type.Object(
      {
        from: Type.String({ pattern: ADDRESS }),
        to: Type.String({ pattern: ADDRESS }),
        value: Type.String({ pattern: DIGITS }),
        validAfter: Type.String({ pattern: DIGITS }),
        validBefore: Type.String({ pattern: DIGITS }),
        nonce: Type.String({ pattern: "^0x[0-9a-fA-F]{64}$" }),
      },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
);
type SignedTransfer = Static<typeof Eip3009>;
const checkEip3009 = createReader(Eip3009);
const checked = new WeakMap<object, SignedTransfer | null>();

/** The payload when it is one, else null. Several steps ask for the same: it is looked at once. */
export function readEip3009(payload: Readonly<Record<string, unknown>>): SignedTransfer | null {
  const known = checked.get(payload);
  if (known !== undefined) return known;
  const read = checkEip3009(payload);
  checked.set(payload, read);
  return read;
}

/** Canonical JSON (RFC 8785), put together: no text that passes the schema has anything to escape. */
const canonicalText = ({ signature, authorization }: SignedTransfer): string => {
  const { from, nonce, to, validAfter, validBefore, value } = authorization;
  const times = `"validAfter":"${validAfter}","validBefore":"${validBefore}"`;
  const transfer = `{"from":"${from}","nonce":"${nonce}","to":"${to}",${times},"value":"${value}"}`;
  return `{"authorization":${transfer},"signature":"${signature}"}`;
};

const inContractForm = (signed: SignedTransfer): SignedTransfer => {
  const signature = spellSignature(signed.signature);
  return signature === signed.signature ? signed : { ...signed, signature };
};

/** The payload of a payer whose own key signed it, in the spelling that the token's contract takes. */
export const renderKeySigned: NonNullable<NetworkFamily["renderKeySigned"]> = (payload) => {
  const permit = readPermit2(payload);
  if (permit !== null) return renderPermit(payload, permit);
  const signed = readEip3009(payload);
  const rendered = signed && inContractForm(signed);
  return rendered === null || rendered === signed ? payload : rendered;
};

const readSigned = (payload: Readonly<Record<string, unknown>>) => {
  const signed = readEip3009(payload);
  if (signed) return signed;
  const hint = "The payload must be an EIP-3009 authorization with its signature, and nothing else.";
  throw refuse("invalid_payment", "unsupported_payload_type", hint);
};

export const identifyEvmPayment: NetworkFamily["identify"] = ({ network, payload }): SignedPayment => {
  const permit = readPermit2(payload);
  if (permit !== null) return identifyPermit(network, permit);
  const signed = readSigned(payload);
  const { from, nonce, validBefore } = signed.authorization;
  const before = parseAtomic(validBefore);
  if (before === null) throw refuse("invalid_payment", "invalid_payload", "validBefore must be whole seconds.");
  const text = canonicalText(signed);
  return {
    replay_key: `evm:${network.eip712?.chain_id}:${network.asset}:${from}:${nonce}`.toLowerCase(),
    // Whichever way its signature is spelled, it is the same payload.
    payload_hash: sha256Hex(canonicalText(inContractForm(signed)).toLowerCase()),
    payload_json: text,
    payer: from.toLowerCase(),
    fee_payer: null,
    valid_until_ms: cutSeconds(before) * 1000,
  };
};

export const describeEvmPayment: NonNullable<NetworkFamily["describe"]> = (payload) => {
  const permit = readPermit2(payload);
  if (permit !== null) return describePermit(permit);
  const { to, value, validAfter, validBefore } = readSigned(payload).authorization;
  return { payTo: to, amount: value, validAfter, validBefore };
};

/** What was signed, against the scheme it was accepted for: a permit is no payment by `exact`, nor the reverse. */
export const checkEvmPayment: NetworkFamily["check"] = (asked) =>
  asked.requirement.scheme === UPTO ? checkPermit(asked) : checkAuthorization(asked);

/** Checks 1-3 of the EVM `exact` scheme: recipient, amount, time window. */
const checkAuthorization: NetworkFamily["check"] = ({ requirement, payload, now_ms }) => {
  const { to, value, validAfter, validBefore } = readSigned(payload).authorization;
  if (to.toLowerCase() !== requirement.payTo.toLowerCase()) {
    throw refuse("invalid_payment", "recipient_mismatch", "The authorization pays another address than payTo.");
  }
  const amount = parseAtomic(value);
  if (amount === null || amount !== BigInt(requirement.amount)) {
    throw refuse("amount_mismatch", "value_mismatch", `The authorization must be over exactly ${requirement.amount}.`);
  }
  const after = parseAtomic(validAfter);
  const before = parseAtomic(validBefore);
  if (after === null || before === null) {
    throw refuse("invalid_payment", "invalid_payload", "validAfter and validBefore must be whole seconds.");
  }
  const now_s = BigInt(Math.floor(now_ms / 1000));
  if (after > now_s) throw refuse("invalid_payment", "not_yet_valid", "validAfter is in the future: check your clock.");
  if (before < now_s + SETTLE_MARGIN_S) {
    throw refuse("payment_expired", "valid_before_too_soon", "validBefore is over or too near: sign a new payment.");
  }
};
