import type { FacilitatorPool } from "./pool.ts";
import type { NetworkNote } from "./types.ts";

/**
 * Networks with an address of ours on which nothing can be paid, as their operator is informed: why and, where the
 * facilitators answer and list others, what to write. Buyers get `pool.unavailable()`.
 */
export const listLeftOut = (pool: Pick<FacilitatorPool, "unavailable" | "listedInstead">): readonly NetworkNote[] =>
  pool.unavailable().map(({ network, why }) => {
    const listed = pool.listedInstead(network);
    if (listed === "") return { network, why };
    const todo = `Add a [[facilitators]] entry whose /supported lists ${network} in version 2`;
    return { network, why: `${why}. ${listed}. ${todo}` };
  });
