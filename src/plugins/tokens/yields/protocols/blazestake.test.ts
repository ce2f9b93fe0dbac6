import { expect, test } from "bun:test";
import { STAKE_POOL_PROGRAM } from "../stake-pool.ts";
import { readers } from "./blazestake.ts";

// Layout of spl-stake-pool's state.rs: account type, 257 bytes, total_lamports, pool_token_supply, little-endian.
test("BlazeStake: lamports by tokens; what it pays beside it is unknown, never none", () => {
  const data = Buffer.alloc(611);
  data.writeUInt8(1, 0);
  data.writeBigUInt64LE(1_234_000_000n, 258);
  data.writeBigUInt64LE(1_000_000_000n, 266);
  expect(readers[0]?.read({ owner: STAKE_POOL_PROGRAM, data })).toMatchObject({
    share_price: 1.234,
    locked: "1234000000",
    rewards: null,
  });
});
