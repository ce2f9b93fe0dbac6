import { type Static, Type } from "@sinclair/typebox";
import { createReader, readMember } from "../codec.ts";
import type { ChannelConfig } from "./contract.ts";
import { refuseChannel } from "./refusals.ts";

const ADDRESS = Type.String({ pattern: "^0x[0-9a-fA-F]{40}$" });
const HASH = Type.String({ pattern: "^0x[0-9a-fA-F]{64}$" });
/** More USDC than there are fits in 18 digits, and every sum of it in the books. */
const AMOUNT = Type.String({ pattern: "^(0|[1-9][0-9]{0,17})$" });
const TIME = Type.String({ pattern: "^(0|[1-9][0-9]{0,17})$" });
/** Contract wallets sign with more bytes than accounts do. */
const SIGNATURE = Type.String({ pattern: "^0x(?:[0-9a-fA-F]{2}){1,2048}$" });

const Config = Type.Object(
  {
    payer: ADDRESS,
    payerAuthorizer: ADDRESS,
    receiver: ADDRESS,
    receiverAuthorizer: ADDRESS,
    token: ADDRESS,
    withdrawDelay: Type.Integer({ minimum: 0, maximum: 1_099_511_627_775 }),
    salt: HASH,
  },
  { additionalProperties: false },
);
const Voucher = Type.Object(
  { channelId: HASH, maxClaimableAmount: AMOUNT, signature: SIGNATURE },
  { additionalProperties: false },
);
const common = { channelConfig: Config, voucher: Voucher };
const Authorization = Type.Object(
  { validAfter: TIME, validBefore: TIME, salt: HASH, signature: SIGNATURE },
  { additionalProperties: false },
);
const readVoucher = createReader(
  Type.Object({ type: Type.Literal("voucher"), ...common }, { additionalProperties: false }),
);
const readDeposit = createReader(
  Type.Object(
    {
      type: Type.Literal("deposit"),
      ...common,
      deposit: Type.Object(
        {
          amount: AMOUNT,
          authorization: Type.Object({ erc3009Authorization: Authorization }, { additionalProperties: false }),
        },
        { additionalProperties: false },
      ),
    },
    { additionalProperties: false },
  ),
);
const readRefund = createReader(
  Type.Object(
    { type: Type.Literal("refund"), ...common, amount: Type.Optional(Type.String({ maxLength: 80 })) },
    { additionalProperties: false },
  ),
);

export type Voucher = Static<typeof Voucher>;

/** What a buyer sends for a channel. Nothing of it is checked but its form. */
export type ChannelPayload = {
  readonly channelConfig: ChannelConfig;
  readonly voucher: Voucher;
} & (
  | { readonly type: "voucher" }
  | {
      readonly type: "deposit";
      readonly deposit: {
        readonly amount: string;
        readonly authorization: { readonly erc3009Authorization: Static<typeof Authorization> };
      };
    }
  | { readonly type: "refund"; readonly amount?: string }
);

/** @throws PaymentRefusal with the scheme's own word. */
export function readChannelPayload(payload: Readonly<Record<string, unknown>>): ChannelPayload {
  const type = readMember(payload, "type");
  switch (type) {
    case "voucher":
      return readVoucher(payload) ?? refuseForm("voucher_payload");
    case "deposit": {
      const authorization = readMember(readMember(payload, "deposit"), "authorization");
      if (readMember(authorization, "permit2Authorization") !== undefined) refuseForm("erc3009_authorization_required");
      return readDeposit(payload) ?? refuseForm("deposit_payload");
    }
    case "refund": {
      const refund = readRefund(payload);
      if (refund === null) return refuseForm("refund_payload");
      const { amount, ...rest } = refund;
      return amount === undefined ? rest : { ...rest, amount };
    }
    default:
      return refuseForm("payload_type");
  }
}

const refuseForm = (word: Parameters<typeof refuseChannel>[0]): never => {
  throw refuseChannel(word, "The payload has not the form that the scheme gives it.");
};
