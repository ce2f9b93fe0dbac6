import { describe, expect, test } from "bun:test";
import { checksumAddress } from "../core/eth-address.ts";
import { findAsset, findNetwork, findNetworkById, findUSDC, requireAsset, requireChainId } from "./find.ts";
import { KNOWN_NETWORKS } from "./rows.ts";

const HASH = "wGHE2Pwdvd7S12BL5FaOP20EGYesN73ktiC1qzkkit8";

describe("a network is the same in every spelling", () => {
  test.each([
    ["eip155:8453", ["base", "Base", "8453", "BASE "]],
    ["eip155:84532", ["base-sepolia", "base_sepolia", "Base Sepolia", "84532"]],
    ["eip155:1", ["ethereum", "eth", "mainnet", "1"]],
    ["eip155:137", ["polygon", "matic", "pol", "137"]],
    ["eip155:43113", ["avalanche-fuji", "43113"]],
    ["solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp", ["solana", "sol", "solana:mainnet"]],
    ["algorand:wGHE2Pwdvd7S12BL5FaOP20EGYesN73k", ["algorand", `algorand:${HASH}=`, `algorand:${HASH}`]],
    [
      "algorand:SGO1GKSzyE7IEPItTxCByw9x8FmnrCDe",
      ["=", ""].flatMap((end) =>
        ["/", "_"].map((slash) => `algorand:SGO1GKSzyE7IEPItTxCByw9x8FmnrCDexi9${slash}cOUJOiI${end}`),
      ),
    ],
  ])("%s", (id, spellings) => {
    for (const text of [id, ...spellings]) expect([text, findNetwork(text)?.id]).toEqual([text, id]);
  });

  test("but an id is not a name, and an unknown network is not found", () => {
    for (const text of ["base", "8453", "eip155:08453", ""]) expect(findNetworkById(text)).toBeUndefined();
    for (const text of ["", "moon", "eip155:999999999", "constructor"]) expect(findNetwork(text)).toBeUndefined();
  });
});

test("no two networks share an id, a name or a number, and none goes by another one's", () => {
  for (const network of KNOWN_NETWORKS) {
    const { id, name, aliases, v1_name, chain_id } = network;
    const spellings = [id, name, ...aliases, v1_name ?? name, ...(chain_id === null ? [] : [String(chain_id)])];
    for (const text of spellings) expect([text, findNetwork(text)?.id]).toEqual([text, id]);
  }
});

test("every address of an EVM asset has the checksum its issuer wrote", () => {
  const all = KNOWN_NETWORKS.filter(({ family }) => family === "evm").flatMap(({ assets }) => assets);
  expect(all.length).toBeGreaterThan(50);
  for (const { asset } of all) expect(checksumAddress(asset.toLowerCase())).toBe(asset);
});

test("an asset is known by its address in any case, and only on its network", () => {
  const usdc = requireAsset("polygon", "USDC");
  expect(findAsset("polygon", usdc.toLowerCase())?.symbol).toBe("USDC");
  expect(findAsset("base", usdc)).toBeUndefined();
  expect(findAsset("solana", requireAsset("solana", "USDC").toLowerCase())).toBeUndefined();
});

test("a bridged copy is never Circle's own", () => {
  expect(findUSDC("iotex")).toBeUndefined();
  expect(findUSDC("8453")?.domain).toEqual({ name: "USD Coin", version: "2" });
});

test("what our own code names must be there", () => {
  expect(requireChainId("base_sepolia")).toBe(84532);
  expect(() => requireChainId("solana")).toThrow('"solana" has no number');
  expect(() => requireAsset("base", "MOON")).toThrow('no MOON is known on "base"');
  expect(() => requireAsset("moon", "USDC")).toThrow('no network is called "moon"');
});
