import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { toFunctionSelector } from "viem";
import { isAddress } from "../../../../core/eth-address.ts";
import { RESERVE_DATA, TOTAL_SUPPLY } from "./aave-market.ts";
import { annualise, type ContractReader, compoundRate, YEAR_SECONDS } from "./protocol.ts";
import { SELECTORS } from "./protocols/compound-v3.ts";
import { SSR } from "./protocols/sky-savings.ts";
import { YIELD_READERS } from "./readers.ts";
import { CONVERT_TO_ASSETS } from "./share-price.ts";
import { readStakePool, STAKE_POOL_PROGRAM } from "./stake-pool.ts";

const word = (value: bigint) => value.toString(16).padStart(64, "0");
const find = (id: string): ContractReader => {
  const found = YIELD_READERS.find((one) => one.id === id);
  if (!found || found.chain === "solana") throw new Error(id);
  return found;
};
const FOLDER = join(import.meta.dir, "protocols");

test("fourteen protocols, a file of at most 60 lines each, all of them in the table", () => {
  const files = readdirSync(FOLDER);
  expect(files.length).toBeGreaterThanOrEqual(12);
  for (const file of files) {
    expect(readFileSync(join(FOLDER, file), "utf8").split("\n").length).toBeLessThanOrEqual(61);
  }
  expect(new Set(YIELD_READERS.map(({ project }) => project)).size).toBe(files.length);
  expect(new Set(YIELD_READERS.map(({ id }) => id)).size).toBe(YIELD_READERS.length);
  const contracts = YIELD_READERS.filter(({ chain }) => chain !== "solana");
  expect(contracts.filter(({ contract }) => !isAddress(contract))).toEqual([]);
});

test("selectors are those of the functions", () => {
  const asked = (id: string) => find(id).views[0]?.data.slice(0, 10);
  expect([RESERVE_DATA, TOTAL_SUPPLY, SSR, CONVERT_TO_ASSETS.slice(0, 10)]).toEqual(
    ["getReserveData(address)", "totalSupply()", "ssr()", "convertToAssets(uint256)"].map((one) =>
      toFunctionSelector(one),
    ),
  );
  expect<readonly string[]>(Object.values(SELECTORS)).toEqual(
    ["getUtilization()", "isSupplyPaused()", "getSupplyRate(uint256)"].map((one) => toFunctionSelector(one)),
  );
  const shares = ["lido-wsteth", "rocket-pool-reth", "coinbase-cbeth-cbeth", "ether-fi-weeth"];
  expect(shares.map((id) => asked(`${id}-ethereum`))).toEqual(
    ["stEthPerToken()", "getExchangeRate()", "exchangeRate()", "getRate()"].map((one) => toFunctionSelector(one)),
  );
});

test("Aave: the rate, what is lent out, the cap and the flags of the reserve's words", () => {
  const reader = find("aave-v3-usdc-ethereum");
  const reserve = (flags: bigint) => [
    word((6n << 48n) | (2_000n << 116n) | flags),
    word(0n),
    word(5n * 10n ** 25n),
    ...Array<string>(5).fill(word(0n)),
    ...[word(0xa7n), word(0n), word(0xdebn), ...Array<string>(4).fill(word(0n))],
  ];
  expect(reader.more?.([reserve(0n)]).map(({ to }) => BigInt(to))).toEqual([0xa7n, 0xdebn]);
  const totals = [[word(1_000_000_000n)], [word(800_000_000n)]];
  const read = reader.read([reserve(1n << 60n)], totals);
  expect(read).toMatchObject({ is_paused: true, utilization_pct: 80, cap_used_pct: 50, share_price: null });
  expect(read?.rate_apy_pct).toBeCloseTo(5.127109, 4);
  expect(reader.read([reserve(1n << 57n)], [null, null])).toMatchObject({
    ...{ is_paused: true, utilization_pct: null, cap_used_pct: null },
  });
  expect(reader.read([reserve(0n)], totals)?.is_paused).toBe(false);
  for (const words of [null, [], [word(1n)]]) expect(reader.read([words], totals)).toBeNull();
});

test("Compound and Sky: a rate of each second", () => {
  const comet = find("compound-v3-usdc-base");
  const first = [[word(8n * 10n ** 17n)], [word(1n)]];
  expect(comet.more?.(first)[0]?.data).toBe(SELECTORS.rate + word(8n * 10n ** 17n));
  const read = comet.read(first, [[word(1_585_489_599n)]]);
  expect(read).toMatchObject({ is_paused: true, utilization_pct: 80 });
  expect(read?.rate_apy_pct).toBeCloseTo(5.127109, 4);
  expect(comet.read(first, [null])).toBeNull();
  // Sky's rate of 4.5 % a year as the contract keeps it.
  const sky = find("sky-savings-susds-ethereum").read([[word(1_000000001395766281313196627n)]], []);
  expect(sky?.rate_apy_pct).toBeCloseTo(4.5, 3);
});

test("shares: what one is worth; nothing where the contract says nothing or zero", () => {
  for (const reader of YIELD_READERS) {
    if (reader.chain === "solana" || reader.more || reader.project === "sky-savings") continue;
    expect(reader.read([[word(12n * 10n ** 17n)]], [])).toMatchObject({ share_price: 1.2, rate_apy_pct: null });
    for (const words of [null, [], [word(0n)]]) expect(reader.read([words], [])).toBeNull();
  }
});

test("stake pools: lamports by tokens, of an account that is one", () => {
  const data = Buffer.alloc(611);
  data.writeUInt8(1, 0);
  data.writeBigUInt64LE(1_234_000_000n, 258);
  data.writeBigUInt64LE(1_000_000_000n, 266);
  expect(readStakePool({ owner: STAKE_POOL_PROGRAM, data })?.share_price).toBe(1.234);
  expect(readStakePool({ owner: "11111111111111111111111111111111", data })).toBeNull();
  expect(readStakePool({ owner: STAKE_POOL_PROGRAM, data: data.subarray(0, 270) })).toBeNull();
});

test("rates and growth become yields of a year", () => {
  expect(compoundRate(0.05)).toBeCloseTo(((1 + 0.05 / YEAR_SECONDS) ** YEAR_SECONDS - 1) * 100, 5);
  expect(annualise(1.0007, 1, 7)).toBeCloseTo((1.0007 ** (365 / 7) - 1) * 100, 9);
});
