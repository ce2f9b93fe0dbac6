import { messageOf } from "../../core/errors.ts";
import { familyOf } from "../networks/families.ts";
import type { Network } from "../networks/table.ts";
import type { ChainAccess } from "../types.ts";

/** Whether an address of ours can be paid. "unknown" when nobody could tell. */
export type SellerWord =
  | { readonly kind: "yes" }
  | { readonly kind: "no"; readonly why: string }
  | { readonly kind: "unknown"; readonly why: string };

export interface SellerQuestion extends ChainAccess {
  readonly network: Network;
  readonly pay_to: string;
  /** RPC endpoints of the network's chain. */
  readonly rpc_urls: readonly string[];
}

/** Each may take some seconds. */
const ENDPOINTS_MAX = 3;
const WHY_CHARS_MAX = 200;

/**
 * Asks the chain whether we can be paid on a network. One endpoint that says yes is enough: one that lags does not know
 * an account that was just made, and a network that is left out for nothing costs sales. Never throws.
 */
export async function askSeller(question: SellerQuestion): Promise<SellerWord> {
  const { network, rpc_urls } = question;
  const { checkSeller } = familyOf(network);
  if (!checkSeller) return { kind: "yes" };
  const urls = rpc_urls.slice(0, ENDPOINTS_MAX);
  let no: SellerWord | null = null;
  let last: unknown = null;
  for (const list of urls.length > 0 ? urls.map((url) => [url]) : [[]]) {
    try {
      const why = await checkSeller({ ...question, rpc_urls: list });
      if (why === null) return { kind: "yes" };
      no ??= { kind: "no", why };
    } catch (error) {
      last = error;
    }
  }
  return no ?? { kind: "unknown", why: messageOf(last).slice(0, WHY_CHARS_MAX) };
}
