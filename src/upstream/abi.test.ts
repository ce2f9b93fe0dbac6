import { describe, expect, test } from "bun:test";
import { loadAbi } from "./abi.ts";
import { DECIMALS, LATEST_ROUND_DATA } from "./providers/evm-rpc/chainlink-feeds.ts";
import { AGGREGATE, BLOCK_TIME, encodeAggregate } from "./providers/evm-rpc/multicall.ts";
import { GET_PRICE_UNSAFE } from "./providers/evm-rpc/pyth-contract.ts";

const ALICE = "0x00000000000000000000000000000000000000AA";
const word = (value: bigint | number) => value.toString(16).padStart(64, "0");

describe("a contract's signatures", () => {
  test("encode calls and decode their results", async () => {
    const erc20 = await loadAbi([
      "function balanceOf(address owner) view returns (uint256)",
      "function getReserves() view returns (uint112 a, uint112 b, uint32 at)",
    ]);
    // Published: OpenZeppelin's ERC-20, EIP-20.
    expect(erc20.encode("balanceOf", [ALICE])).toBe(`0x70a08231${word(0xaa)}`);
    expect(erc20.decode("balanceOf", `0x${word(10n ** 30n)}`)).toBe(10n ** 30n);
    const [a, , at] = erc20.decode("getReserves", `0x${word(1)}${word(2)}${word(3)}`);
    expect([a, at]).toEqual([1n, 3]);
    expect(() => erc20.decode("balanceOf", "0x")).toThrow();
    expect(() => erc20.decode("balanceOf", "<html>")).toThrow("not hex");
  });

  test("name events by their topic and read their logs", async () => {
    const erc20 = await loadAbi(["event Transfer(address indexed from, address indexed to, uint256 value)"]);
    const topic = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
    expect(erc20.topic("Transfer")).toBe(topic);
    const log = { topics: [topic, `0x${word(1)}`, `0x${word(0xaa)}`], data: `0x${word(77)}` };
    expect(erc20.decodeLog(log)).toMatchObject({ name: "Transfer", args: { to: ALICE, value: 77n } });
    expect(erc20.decodeLog({ ...log, topics: [`0x${word(9)}`] })).toBeNull();
    expect(erc20.decodeLog({ topics: [], data: "0x" })).toBeNull();
  });

  test("agree with every literal selector in this folder", async () => {
    const abi = await loadAbi([
      "function decimals() view returns (uint8)",
      "function latestRoundData() view returns (uint80, int256, uint256, uint256, uint80)",
      "function getPriceUnsafe(bytes32) view returns (int64, uint64, int32, uint256)",
      "function getCurrentBlockTimestamp() view returns (uint256)",
      "struct Call { address target; bool allowFailure; bytes callData; }",
      "struct Result { bool success; bytes returnData; }",
      "function aggregate3(Call[] calls) payable returns (Result[])",
    ]);
    expect(abi.encode("decimals", [])).toBe(DECIMALS);
    expect(abi.encode("latestRoundData", [])).toBe(LATEST_ROUND_DATA);
    expect(abi.encode("getPriceUnsafe", [`0x${word(7)}`])).toBe(`${GET_PRICE_UNSAFE}${word(7)}`);
    expect(abi.encode("getCurrentBlockTimestamp", [])).toBe(BLOCK_TIME);
    const call = { target: ALICE, allowFailure: true, callData: "0x0102030405" } as const;
    const encoded = abi.encode("aggregate3", [[call, call]]);
    expect(encoded.startsWith(AGGREGATE)).toBe(true);
    expect(encodeAggregate([1, 2].map(() => ({ to: ALICE, data: call.callData })))).toBe(encoded);
  });
});
