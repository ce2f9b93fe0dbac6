import { createJSONRPC } from "../networks/json-rpc.ts";
import { type ChannelSnapshot, CONTRACT } from "./contract.ts";

/** `channels(bytes32)`, `pendingWithdrawals(bytes32)`, `refundNonce(bytes32)`, `receivers(address,address)`. */
const SELECTORS = {
  channels: "0x7a7ebd7b",
  withdrawals: "0xb7f06ebe",
  nonce: "0xf0dc792e",
  receivers: "0x21ff6389",
} as const;

const WORD_CHARS = 64;

export interface ChannelChain {
  channel(id: string): Promise<ChannelSnapshot>;
  /** What a receiver has claimed of a token, and what of it came to his wallet. */
  receiver(address: string, token: string): Promise<{ readonly claimed: bigint; readonly settled: bigint }>;
}

/** Reads the contract over the operator's endpoints. Throws when none answers. */
export function createChannelChain(rpc_urls: readonly string[]): ChannelChain {
  const rpc = createJSONRPC(rpc_urls);
  async function call(data: string, words: number): Promise<readonly bigint[]> {
    const answer = await rpc("eth_call", [{ to: CONTRACT, data }, "latest"]);
    const form = new RegExp(`^0x[0-9a-fA-F]{${words * WORD_CHARS}}$`);
    if (typeof answer !== "string" || !form.test(answer)) throw new Error("the endpoint knows no channel contract");
    return Array.from({ length: words }, (_, n) =>
      BigInt(`0x${answer.slice(2 + n * WORD_CHARS, 2 + (n + 1) * WORD_CHARS)}`),
    );
  }
  const word = (hex: string): string => hex.slice(2).toLowerCase().padStart(WORD_CHARS, "0");
  return {
    async channel(id) {
      const [channels, withdrawals, nonces] = await Promise.all([
        call(`${SELECTORS.channels}${word(id)}`, 2),
        call(`${SELECTORS.withdrawals}${word(id)}`, 2),
        call(`${SELECTORS.nonce}${word(id)}`, 1),
      ]);
      const [balance = 0n, total_claimed = 0n] = channels;
      if (total_claimed > balance) throw new Error("the endpoint says that more was claimed than there is");
      return {
        balance,
        total_claimed,
        withdraw_requested_at: Number(withdrawals[1] ?? 0n),
        refund_nonce: nonces[0] ?? 0n,
      };
    },
    async receiver(address, token) {
      const [claimed = 0n, settled = 0n] = await call(`${SELECTORS.receivers}${word(address)}${word(token)}`, 2);
      return { claimed, settled };
    },
  };
}
