import { type FetchContext, outcomeOf, type PeerIdentity, type SoldProduct } from "intel-node";
import { fetchListings, type ListingPage } from "../bazaar/listings.ts";
import { REGISTERS } from "../bazaar/registers.ts";

export interface MarketInputs {
  readonly read_at_ms: number;
  readonly node_id: string;
  readonly products: readonly SoldProduct[];
  readonly peers: readonly PeerIdentity[];
  readonly settlements: { readonly organic: number; readonly operator_test: number } | null;
  readonly pages: readonly { readonly register: string; readonly page: ListingPage | null }[];
}

/** This node's catalog and public totals, and the first page of each register the operator allows. */
export async function fetchMarket(context: FetchContext): Promise<MarketInputs> {
  const [totals, pages] = await Promise.all([
    outcomeOf(context.node.readReceiptTotals()),
    Promise.all(
      REGISTERS.filter(context.usable).map(async (register) => {
        const read = await outcomeOf(fetchListings(context, register));
        return { register: register.id, page: read.ok ? read.value : null };
      }),
    ),
  ]);
  return {
    read_at_ms: context.now_ms,
    node_id: context.node.node_id,
    products: context.node.listProducts().filter(({ is_plan }) => !is_plan),
    peers: context.node.listPeers(),
    settlements: totals.ok
      ? { organic: totals.value.organic.count, operator_test: totals.value.operator_test.count }
      : null,
    pages,
  };
}
