import { type Static, Type } from "@sinclair/typebox";
import { checksumAddress } from "../../../../core/eth-address.ts";
import { keccak256Hex } from "../../../../core/hash.ts";
import { createReader, readMember } from "../../../codec.ts";
import { networkById } from "../../../networks/table.ts";
import { refuse } from "../../../refusal.ts";
import type { MppMethod } from "../../types.ts";

/** The one way to pay offered: EIP-3009, settled by the facilitator that settles the authorization by x402. */
const AUTHORIZATION = "authorization";

const Text = Type.String({ maxLength: 100 });
const Payload = Type.Object(
  {
    type: Type.Literal(AUTHORIZATION),
    signature: Type.String({ maxLength: 8_200 }),
    from: Text,
    to: Text,
    value: Text,
    validAfter: Text,
    validBefore: Text,
    nonce: Text,
  },
  { additionalProperties: false },
);
const readPayload: (value: unknown) => Static<typeof Payload> | null = createReader(Payload);

const chainIdOf = (network: string): number | undefined => networkById(network)?.eip712?.chain_id;

/** Method "evm", intent "charge", by draft-evm-charge: credential type "authorization" alone. */
export const evmCharge: MppMethod = {
  method: "evm",
  intent: "charge",
  request({ scheme, network, amount, asset, payTo }) {
    const chainId = chainIdOf(network);
    if (scheme !== "exact" || chainId === undefined) return null;
    return {
      amount,
      currency: checksumAddress(asset),
      methodDetails: { chainId, credentialTypes: [AUTHORIZATION] },
      recipient: checksumAddress(payTo),
    };
  },
  read(request, payload) {
    const chain_id = readMember(readMember(request, "methodDetails"), "chainId");
    const network = networkById(`eip155:${chain_id}`);
    if (!network) throw refuse("invalid_payment", "invalid_network", "The challenge names no chain that is offered.");
    const signed = readPayload(payload);
    if (!signed) {
      const hint = 'The payload must be one of type "authorization" (EIP-3009) with its signature, and nothing else.';
      throw refuse("invalid_payment", "unsupported_payload_type", hint);
    }
    const { signature, type: _, ...authorization } = signed;
    return { scheme: "exact", network: network.id, payload: { signature, authorization } };
  },
  assertBound({ id, realm }, payload) {
    const nonce = readMember(readMember(payload, "authorization"), "nonce");
    if (typeof nonce === "string" && nonce.toLowerCase() === `0x${keccak256Hex(`${id}${realm}`)}`) return;
    const hint = "The authorization's nonce must be keccak256 of the challenge's id and realm: sign this challenge.";
    throw refuse("invalid_payment", "nonce_mismatch", hint);
  },
  receipt: (network) => ({ chainId: chainIdOf(network) }),
};
