import { createStakePoolReader } from "../stake-pool.ts";

/** BlazeStake's stake pool. */
export const readers = [createStakePoolReader("blazestake", "bSOL", "stk9ApL5HeVAwPLr3TLhDXdZS8ptVu7zp6ov8HFDuMi")];
