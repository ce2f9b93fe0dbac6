import { createStakePoolReader } from "../stake-pool.ts";

/** Jito's stake pool. */
export const readers = [
  createStakePoolReader({
    project: "jito",
    symbol: "JitoSOL",
    contract: "Jito4APyf642JPZPx3hGc6WWJ8zPKtRbRs4P815Awbb",
  }),
];
