import { expect, test } from "bun:test";
import { COINGECKO_IDS } from "../../../upstream/providers/coingecko/coins.ts";
import { COINPAPRIKA_IDS } from "../../../upstream/providers/coinpaprika/market-caps.ts";
import { SECTOR_MEMBERS, SECTORS, UNIVERSE_20 } from "./universe.ts";

test("no coin is in two sectors, and every sector has at least two", () => {
  expect(new Set(SECTOR_MEMBERS).size).toBe(SECTOR_MEMBERS.length);
  for (const { members } of SECTORS) expect(members.length).toBeGreaterThan(1);
  expect(new Set(SECTORS.map(({ id }) => id)).size).toBe(SECTORS.length);
});

test("the larger coins are all in a sector", () => {
  expect(UNIVERSE_20.filter((symbol) => !SECTOR_MEMBERS.includes(symbol))).toEqual([]);
});

test("CoinGecko's ids are known for every member; no two coins share an id", () => {
  expect(SECTOR_MEMBERS.filter((symbol) => COINGECKO_IDS[symbol] === undefined)).toEqual([]);
  for (const ids of [COINGECKO_IDS, COINPAPRIKA_IDS]) {
    expect(new Set(Object.values(ids)).size).toBe(Object.keys(ids).length);
    expect(Object.keys(ids).filter((symbol) => !SECTOR_MEMBERS.includes(symbol))).toEqual([]);
  }
});
