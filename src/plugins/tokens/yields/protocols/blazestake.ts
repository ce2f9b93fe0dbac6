import { createStakePoolReader } from "../stake-pool.ts";

/** BlazeStake's stake pool; it pays BLZE beside it, by lists kept off the chain. */
export const readers = [
  createStakePoolReader({
    project: "blazestake",
    symbol: "bSOL",
    contract: "stk9ApL5HeVAwPLr3TLhDXdZS8ptVu7zp6ov8HFDuMi",
    pays_elsewhere: "BLZE by lists",
  }),
];
