import { type FetchContext, NodeError } from "intel-node";
import { requireAddress, type WalletAddress } from "./address.ts";

/**
 * The wallet that is meant: the one that was named, else the one that pays.
 * @throws NodeError invalid_parameter when there is neither.
 */
export function wantedAddress(context: FetchContext, named: string | undefined): WalletAddress {
  const address = named ?? context.payer?.address;
  if (address === undefined) {
    throw new NodeError(
      "invalid_parameter",
      'Parameter "address" is needed: a key has no wallet. Nothing was charged.',
      {
        param: "address",
        details: { parameter: "address", missing: true },
      },
    );
  }
  return requireAddress(address, "address");
}
