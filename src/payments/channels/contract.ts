/**
 * The channel contract as it is deployed, at one address on every chain.
 * Source: x402-foundation/x402, specs/schemes/batch-settlement/scheme_batch_settlement_evm.md.
 */
export const CONTRACT: `0x${string}` = "0x4020074e9dF2ce1deE5A9C1b5c3f541D02a10003";
/** Takes a deposit by EIP-3009; other collectors are not offered. */
export const COLLECTOR: `0x${string}` = "0x4020806089470a89826cB9fB1f4059150b550004";
export const NO_ADDRESS: `0x${string}` = "0x0000000000000000000000000000000000000000";
export const SCHEME = "batch-settlement";

/** Seconds between which the contract takes a withdraw delay. */
export const WITHDRAW_DELAY_S = { min: 900, max: 2_592_000 } as const;

/** Claims of one transaction: what every facilitator takes, and what the official code takes. */
export const CLAIMS_MAX = { least: 25, most: 100 } as const;

export const channelDomain = (chain_id: number) =>
  ({ name: "x402 Batch Settlement", version: "1", chainId: chain_id, verifyingContract: CONTRACT }) as const;

export const CHANNEL_TYPES = {
  ChannelConfig: [
    { name: "payer", type: "address" },
    { name: "payerAuthorizer", type: "address" },
    { name: "receiver", type: "address" },
    { name: "receiverAuthorizer", type: "address" },
    { name: "token", type: "address" },
    { name: "withdrawDelay", type: "uint40" },
    { name: "salt", type: "bytes32" },
  ],
  Voucher: [
    { name: "channelId", type: "bytes32" },
    { name: "maxClaimableAmount", type: "uint128" },
  ],
  Refund: [
    { name: "channelId", type: "bytes32" },
    { name: "nonce", type: "uint256" },
    { name: "amount", type: "uint128" },
  ],
  ClaimBatch: [{ name: "claims", type: "ClaimEntry[]" }],
  ClaimEntry: [
    { name: "channelId", type: "bytes32" },
    { name: "maxClaimableAmount", type: "uint128" },
    { name: "totalClaimed", type: "uint128" },
  ],
} as const;

/** What a deposit signs: the token's own message. */
export const RECEIVE_WITH_AUTHORIZATION = {
  ReceiveWithAuthorization: [
    { name: "from", type: "address" },
    { name: "to", type: "address" },
    { name: "value", type: "uint256" },
    { name: "validAfter", type: "uint256" },
    { name: "validBefore", type: "uint256" },
    { name: "nonce", type: "bytes32" },
  ],
} as const;

/** What identifies a channel, for ever. */
export interface ChannelConfig {
  readonly payer: string;
  readonly payerAuthorizer: string;
  readonly receiver: string;
  readonly receiverAuthorizer: string;
  readonly token: string;
  readonly withdrawDelay: number;
  readonly salt: string;
}

/** A channel as the chain, or a facilitator, says it is. */
export interface ChannelSnapshot {
  readonly balance: bigint;
  readonly total_claimed: bigint;
  /** Unix seconds; 0 while its payer withdraws nothing. */
  readonly withdraw_requested_at: number;
  readonly refund_nonce: bigint;
}
