import type { NetworkFamily } from "../../types.ts";

/** Any address can receive but these two, to which the token's contract refuses to transfer. Needs no endpoint. */
export const checkEvmSeller: NonNullable<NetworkFamily["checkSeller"]> = async ({ network, pay_to }) => {
  if (/^0x0{40}$/.test(pay_to)) return "pay_to is the zero address";
  return pay_to.toLowerCase() === network.asset.toLowerCase() ? "pay_to is the USDC contract itself" : null;
};
