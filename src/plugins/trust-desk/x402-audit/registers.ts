import { addressOfHost, type FetchContext, outcomeOf } from "intel-node";
import { type BazaarListing, fetchListings } from "../bazaar/listings.ts";
import { REGISTERS } from "../bazaar/registers.ts";

/** What one public register says of the seller's resource. */
export interface RegisterEntry {
  readonly register: string;
  /** Null where it does not list the resource among what was read. */
  readonly listing: BazaarListing | null;
  /** Whether everything it lists was read. */
  readonly is_whole: boolean;
}

/** Looks a resource up in the registers the operator chose; null for one that gave no answer. */
export async function findInRegisters(context: FetchContext, url: string): Promise<readonly (RegisterEntry | null)[]> {
  const wanted = addressOfHost(url, url);
  return Promise.all(
    REGISTERS.filter(context.usable).map(async (register): Promise<RegisterEntry | null> => {
      const read = await outcomeOf(fetchListings(context, register));
      if (!read.ok) return null;
      const { listings, total } = read.value;
      const listing = listings.find(({ resource }) => addressOfHost(resource, url) === wanted) ?? null;
      return { register: register.id, listing, is_whole: total <= 1_000 };
    }),
  );
}
