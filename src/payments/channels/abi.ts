/** The channel contract's interface, as text: each caller parses it with the library it has loaded. */
const CONFIG =
  "struct ChannelConfig { address payer; address payerAuthorizer; address receiver; address receiverAuthorizer; " +
  "address token; uint40 withdrawDelay; bytes32 salt; }";

export const CHANNEL_ABI = [
  CONFIG,
  "struct Voucher { ChannelConfig channel; uint128 maxClaimableAmount; }",
  "struct VoucherClaim { Voucher voucher; bytes signature; uint128 totalClaimed; }",
  "function multicall(bytes[] data) returns (bytes[] results)",
  "function deposit(ChannelConfig config, uint128 amount, address collector, bytes collectorData)",
  "function claimWithSignature(VoucherClaim[] voucherClaims, bytes authorizerSignature)",
  "function settle(address receiver, address token)",
  "function initiateWithdraw(ChannelConfig config, uint128 amount)",
  "function finalizeWithdraw(ChannelConfig config)",
  "function refundWithSignature(ChannelConfig config, uint128 amount, uint256 nonce, bytes signature)",
  "function channels(bytes32 channelId) view returns (uint128 balance, uint128 totalClaimed)",
  "function pendingWithdrawals(bytes32 channelId) view returns (uint128 amount, uint40 initiatedAt)",
  "function receivers(address receiver, address token) view returns (uint128 totalClaimed, uint128 totalSettled)",
  "function refundNonce(bytes32 channelId) view returns (uint256)",
  "event Settled(address indexed receiver, address indexed token, address indexed sender, uint128 amount)",
] as const;
