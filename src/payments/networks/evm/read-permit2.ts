import { type Static, Type } from "@sinclair/typebox";
import type { Hex } from "viem";
import { sha256Hex } from "../../../core/hash.ts";
import { createReader } from "../../codec.ts";
import { refuse } from "../../refusal.ts";
import type { NetworkFamily, SignedPayment } from "../../types.ts";
import { permit2Domain, UPTO_PROXY, UPTO_TYPES } from "../../upto/contract.ts";
import type { Network } from "../table.ts";
import { ADDRESS, cutSeconds, DIGITS, SETTLE_MARGIN_S, SIGNATURE } from "./forms.ts";
import { spellSignature } from "./key-signature.ts";

const closed = { additionalProperties: false } as const;
const Address = Type.String({ pattern: ADDRESS });
const Digits = Type.String({ pattern: DIGITS });

/** A Permit2 transfer with the witness of scheme `upto`, and nothing else. */
const Permit2 = Type.Object(
  {
    signature: Type.String({ pattern: SIGNATURE }),
    permit2Authorization: Type.Object(
      {
        from: Address,
        permitted: Type.Object({ token: Address, amount: Digits }, closed),
        spender: Address,
        nonce: Digits,
        deadline: Digits,
        witness: Type.Object({ to: Address, facilitator: Address, validAfter: Digits }, closed),
      },
      closed,
    ),
  },
  closed,
);
export type SignedPermit = Static<typeof Permit2>;
type Permit = SignedPermit["permit2Authorization"];

const UINT256_END = 1n << 256n;
const checkForm = createReader(Permit2);
const checked = new WeakMap<object, SignedPermit | null>();

/** Numbers beyond 256 bits are no permit: no contract could read them, and no hash takes them. */
const isInRange = ({ permitted, nonce, deadline, witness }: Permit): boolean =>
  [permitted.amount, nonce, deadline, witness.validAfter].every((digits) => BigInt(digits) < UINT256_END);

/** The payload when it is one, else null. Looked at once. */
export function readPermit2(payload: Readonly<Record<string, unknown>>): SignedPermit | null {
  const known = checked.get(payload);
  if (known !== undefined) return known;
  const formed = checkForm(payload);
  const read = formed !== null && isInRange(formed.permit2Authorization) ? formed : null;
  checked.set(payload, read);
  return read;
}

/** Canonical JSON (RFC 8785), put together: no text that passes the schema has anything to escape. */
const canonicalText = ({ signature, permit2Authorization }: SignedPermit): string => {
  const { deadline, from, nonce, permitted, spender, witness } = permit2Authorization;
  const allowed = `{"amount":"${permitted.amount}","token":"${permitted.token}"}`;
  const { facilitator, to, validAfter } = witness;
  const bound = `{"facilitator":"${facilitator}","to":"${to}","validAfter":"${validAfter}"}`;
  const who = `"deadline":"${deadline}","from":"${from}","nonce":"${nonce}"`;
  const permit = `{${who},"permitted":${allowed},"spender":"${spender}","witness":${bound}}`;
  return `{"permit2Authorization":${permit},"signature":"${signature}"}`;
};

const inContractForm = (signed: SignedPermit): SignedPermit => {
  const signature = spellSignature(signed.signature);
  return signature === signed.signature ? signed : { ...signed, signature };
};

/** As of an authorization: the payload of a payer whose own key signed it. */
export function renderPermit(
  payload: Readonly<Record<string, unknown>>,
  signed: SignedPermit,
): Readonly<Record<string, unknown>> {
  const rendered = inContractForm(signed);
  return rendered === signed ? payload : rendered;
}

/**
 * Named by the payer's own nonce, whatever token or spender it is for: Permit2 takes each once, so one signature is one
 * payment at every door, and is never taken for one by EIP-3009.
 */
export function identifyPermit(network: Network, signed: SignedPermit): SignedPayment {
  const { from, nonce, deadline, witness } = signed.permit2Authorization;
  return {
    replay_key: `permit2:${network.eip712?.chain_id}:${from}:${nonce}`.toLowerCase(),
    payload_hash: sha256Hex(canonicalText(inContractForm(signed)).toLowerCase()),
    payload_json: canonicalText(signed),
    payer: from.toLowerCase(),
    // It alone may call the proxy, so it alone can settle.
    fee_payer: witness.facilitator.toLowerCase(),
    valid_until_ms: cutSeconds(BigInt(deadline)) * 1000,
  };
}

export const describePermit = ({ permit2Authorization: { witness, permitted, deadline } }: SignedPermit) => ({
  payTo: witness.to,
  amount: permitted.amount,
  validAfter: witness.validAfter,
  validBefore: deadline,
});

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** Every signed field against our requirement. Allowance and balance are the facilitator's to judge. */
export const checkPermit: NetworkFamily["check"] = ({ requirement, payload, now_ms, fee_payers }) => {
  const signed = readPermit2(payload);
  if (signed === null) {
    const hint = "The payload must be a Permit2 authorization of scheme upto with its signature, and nothing else.";
    throw refuse("invalid_payment", "unsupported_payload_type", hint);
  }
  const { permitted, spender, deadline, witness } = signed.permit2Authorization;
  if (!isSame(spender, UPTO_PROXY)) {
    throw refuse("invalid_payment", "invalid_permit2_spender", `The spender must be the upto proxy, ${UPTO_PROXY}.`);
  }
  if (!isSame(witness.to, requirement.payTo)) {
    throw refuse("invalid_payment", "invalid_permit2_recipient_mismatch", "witness.to must be payTo.");
  }
  if (!fee_payers.some((address) => isSame(address, witness.facilitator))) {
    const hint = "witness.facilitator must be extra.facilitatorAddress: fetch a fresh 402.";
    throw refuse("invalid_payment", "upto_facilitator_mismatch", hint);
  }
  if (!isSame(permitted.token, requirement.asset)) {
    throw refuse("invalid_payment", "permit2_token_mismatch", `The permitted token must be ${requirement.asset}.`);
  }
  if (permitted.amount !== requirement.amount) {
    throw refuse(
      "amount_mismatch",
      "permit2_amount_mismatch",
      `The permit must be over exactly ${requirement.amount}.`,
    );
  }
  checkTimes({ validAfter: witness.validAfter, deadline }, now_ms);
};

function checkTimes({ validAfter, deadline }: { validAfter: string; deadline: string }, now_ms: number): void {
  const now_s = BigInt(Math.floor(now_ms / 1000));
  if (BigInt(validAfter) > now_s) {
    throw refuse("invalid_payment", "permit2_not_yet_valid", "witness.validAfter is in the future: check your clock.");
  }
  if (BigInt(deadline) < now_s + SETTLE_MARGIN_S) {
    throw refuse(
      "payment_expired",
      "permit2_deadline_expired",
      "The deadline is over or too near: sign a new payment.",
    );
  }
}

/** What is signed: the EIP-712 digest of a permit. */
export async function hashPermit(network: Network, permit: Permit): Promise<Hex> {
  const { hashTypedData } = await import("./viem.ts");
  const { permitted, spender, nonce, deadline, witness } = permit;
  return hashTypedData({
    domain: permit2Domain(network.eip712?.chain_id ?? 0),
    types: UPTO_TYPES,
    primaryType: "PermitWitnessTransferFrom",
    message: {
      permitted: { token: permitted.token as Hex, amount: BigInt(permitted.amount) },
      spender: spender as Hex,
      nonce: BigInt(nonce),
      deadline: BigInt(deadline),
      witness: {
        to: witness.to as Hex,
        facilitator: witness.facilitator as Hex,
        validAfter: BigInt(witness.validAfter),
      },
    },
  });
}
