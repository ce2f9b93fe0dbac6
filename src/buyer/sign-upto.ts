import type { PrivateKeyAccount } from "viem/accounts";
import { encodeHeader } from "../payments/codec.ts";
import { networkById } from "../payments/networks/table.ts";
import type { Requirement } from "../payments/types.ts";
import { permit2Domain, UPTO_PROXY, UPTO_TYPES } from "../payments/upto/contract.ts";

const asHex = (text: string) => text as `0x${string}`;
const VALID_S = 300;

/**
 * Lets the facilitator that an entry of a 402 names take at most its amount, once: a value of PAYMENT-SIGNATURE.
 * @throws Error on a network that is not known.
 */
export async function signUpto(account: PrivateKeyAccount, accepted: Requirement, now_ms: number): Promise<string> {
  const chain_id = networkById(accepted.network)?.eip712?.chain_id;
  if (chain_id === undefined) throw new Error(`no payment is known on ${accepted.network}`);
  const nonce = BigInt(`0x${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("hex")}`);
  const permitted = { token: asHex(accepted.asset), amount: BigInt(accepted.amount) };
  const facilitator = asHex(String(accepted.extra.facilitatorAddress));
  const witness = { to: asHex(accepted.payTo), facilitator, validAfter: 0n };
  const deadline = BigInt(Math.floor(now_ms / 1000) + VALID_S);
  const signature = await account.signTypedData({
    domain: permit2Domain(chain_id),
    types: UPTO_TYPES,
    primaryType: "PermitWitnessTransferFrom",
    message: { permitted, spender: UPTO_PROXY, nonce, deadline, witness },
  });
  const permit2Authorization = {
    from: account.address,
    permitted: { ...permitted, amount: accepted.amount },
    spender: UPTO_PROXY,
    nonce: nonce.toString(),
    deadline: deadline.toString(),
    witness: { ...witness, validAfter: "0" },
  };
  return encodeHeader({ x402Version: 2, accepted, payload: { signature, permit2Authorization } });
}
