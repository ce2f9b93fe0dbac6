import { parseAtomic } from "../../core/money.ts";
import type { Network } from "../../payments/networks/table.ts";
import type { Requirement } from "../../payments/types.ts";

/** On what terms a seller lets a channel be opened. */
export interface OfferedChannel {
  readonly network: string;
  /** The least deposit that it announces, atomic USDC; null where it names none that a call could be paid from. */
  readonly min_deposit: bigint | null;
  /** How long what is withdrawn without its help takes; null where it does not say. */
  readonly withdraw_delay_s: number | null;
}

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const NOBODY = /^0x0{40}$/;

const isDelay = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0;

/**
 * Reads the entry of a 402 that offers channels. A least deposit below the price of a call says nothing, as for the
 * official client.
 */
export function readOfferedChannel({ network, amount, extra }: Requirement): OfferedChannel {
  const { minDeposit, withdrawDelay } = extra;
  const announced = parseAtomic(minDeposit);
  const price = parseAtomic(amount) ?? 0n;
  return {
    network,
    min_deposit: announced !== null && announced > 0n && announced >= price ? announced : null,
    withdraw_delay_s: isDelay(withdrawDelay) ? withdrawDelay : null,
  };
}

/** Why no channel is opened on these terms; null where one may be. */
export function whyNoChannel(
  { extra, asset, payTo }: Requirement,
  network: Network,
  withdraw_delay_s_max: number,
): string | null {
  const { receiverAuthorizer: authorizer, withdrawDelay: delay, assetTransferMethod: method = "eip3009" } = extra;
  if (asset.toLowerCase() !== network.asset.toLowerCase()) return "it is not in USDC";
  if (!ADDRESS.test(payTo)) return "its payee is no address";
  if (method !== "eip3009") return "it takes no deposits by EIP-3009";
  if (typeof authorizer !== "string" || !ADDRESS.test(authorizer) || NOBODY.test(authorizer)) {
    return "nobody could refund it";
  }
  return isDelay(delay) && delay <= withdraw_delay_s_max ? null : "what is withdrawn from it would come too late";
}
