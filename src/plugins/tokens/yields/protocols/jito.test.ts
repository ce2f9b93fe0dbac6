import { expect, test } from "bun:test";
import { readStakePool, STAKE_POOL_PROGRAM } from "../stake-pool.ts";
import { readers } from "./jito.ts";

/** The first 274 bytes of Jito's pool on mainnet in epoch 537 (igneous-labs/S, test-fixtures/jito-stake-pool.json). */
const RECORDED = Buffer.from(
  "AYB81zZ44lwMyCjycXZ2ZJipfXHSnaOXgy4K4QNK7ZJpDQldRT1Yg7/utCJpZXp5q9DtCLtm+YZZHOTwD5UL1chaH81d4r7shD/nlN3J" +
    "X69GbUBFHJ+qVp54ItksfmrhOv0j4HUJut3t/bUWqQuRl7tQR0MlXQ43xf9dzookHu3EMZ6naP7fZEyKrpuOIYit0GvFUPv3Fsgiuc5j" +
    "x3g9lS4f/NFB6YMsrxCtkXSVyg8nG1spPNRwJ+pzcAftQOs5oL1YQwD8vjBPokGY5Dy28Bt5e0FvYGYD+6Hp+OpBNkr2hQbd9uHXZaGT" +
    "2cvhRs7reawctIXtX1s3kTqM9YV+/wCp3zNeVSmWFwAEHiOjuf0VAA==",
  "base64",
);

test("Jito: lamports by tokens of the recorded pool", () => {
  const [reader] = readers;
  const read = reader?.read({ owner: STAKE_POOL_PROGRAM, data: RECORDED });
  // Read by hand from the bytes: spl-stake-pool's state.rs has total_lamports before pool_token_supply.
  expect(read).toMatchObject({ locked: "6639028734407647", rewards: [], is_paused: null });
  expect(read?.share_price).toBeCloseTo(1.072549956, 8);
});

test("Jito: an account that is not such a pool, cut off or empty says nothing", () => {
  expect(readStakePool({ owner: "11111111111111111111111111111111", data: RECORDED })).toBeNull();
  expect(readStakePool({ owner: STAKE_POOL_PROGRAM, data: RECORDED.subarray(0, 270) })).toBeNull();
  expect(readStakePool({ owner: STAKE_POOL_PROGRAM, data: Buffer.alloc(611) })).toBeNull();
});
