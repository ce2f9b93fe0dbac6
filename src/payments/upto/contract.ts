/**
 * Scheme `upto` on EVM: the payer signs a Permit2 transfer of at most an amount, and the proxy alone may draw on it,
 * for the facilitator and to the address that the signature names. Both contracts have one address on every chain.
 * Sources: x402-foundation/x402, specs/schemes/upto/scheme_upto_evm.md; Uniswap/permit2, SignatureTransfer.
 */
export const UPTO = "upto";
/** Its description for buyers, beside other ways to pay. */
export const UPTO_WAY = "x402 upto";
export const PERMIT2: `0x${string}` = "0x000000000022D473030F116dDEE9F6B43aC78BA3";
export const UPTO_PROXY: `0x${string}` = "0x4020A4f3b7b90ccA423B9fabCc0CE57C6C240002";

/** The proxy's one call: what of a permit is taken, for the facilitator that sends it. */
export const SETTLE_ABI = [
  "struct TokenPermissions { address token; uint256 amount; }",
  "struct PermitTransferFrom { TokenPermissions permitted; uint256 nonce; uint256 deadline; }",
  "struct Witness { address to; address facilitator; uint256 validAfter; }",
  "function settle(PermitTransferFrom permit, uint256 amount, address owner, Witness witness, bytes signature)",
] as const;

export const permit2Domain = (chain_id: number) =>
  ({ name: "Permit2", chainId: chain_id, verifyingContract: PERMIT2 }) as const;

export const UPTO_TYPES = {
  PermitWitnessTransferFrom: [
    { name: "permitted", type: "TokenPermissions" },
    { name: "spender", type: "address" },
    { name: "nonce", type: "uint256" },
    { name: "deadline", type: "uint256" },
    { name: "witness", type: "Witness" },
  ],
  TokenPermissions: [
    { name: "token", type: "address" },
    { name: "amount", type: "uint256" },
  ],
  Witness: [
    { name: "to", type: "address" },
    { name: "facilitator", type: "address" },
    { name: "validAfter", type: "uint256" },
  ],
} as const;
