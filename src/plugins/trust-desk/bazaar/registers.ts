import { cdpBazaar } from "../providers/cdp-bazaar/provider.ts";
import { payaiBazaar } from "../providers/payai-bazaar/provider.ts";

/** Public registers of x402 resources. */
export const REGISTERS = [cdpBazaar, payaiBazaar];
