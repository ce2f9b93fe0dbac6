import { describe, expect, test } from "bun:test";
import {
  type Address,
  encodeAbiParameters,
  encodeEventTopics,
  getAddress,
  keccak256,
  parseAbiItem,
  toBytes,
} from "viem";
import { CREATION_TOPICS, FACTORIES, readCreation } from "./factories.ts";

const WETH = "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2";
const USDC = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";
const BASE_WETH = "0x4200000000000000000000000000000000000006";
const NEW = "0x5555555555555555555555555555555555555555";
const OTHER = "0x7777777777777777777777777777777777777777";
const POOL = "0xB4e16d0168e52d35CaCD2c6185b44281Ec28C9Dc";

const EVENTS = {
  pair: "PairCreated(address,address,address,uint256)",
  v3: "PoolCreated(address,address,uint24,int24,address)",
  v4: "Initialize(bytes32,address,address,uint24,int24,address,uint160,int24)",
  solidly: "PoolCreated(address,address,bool,address,uint256)",
  slipstream: "PoolCreated(address,address,int24,address)",
} as const;

const at = { block_number: 7, block_hash: "", transaction_hash: "", log_index: 0 };
const addressOf = (chain: string, id: string): string =>
  FACTORIES.find((one) => one.chain === chain && one.id === id)?.address ?? "";
/** The tokens of a pool in the order in which factories name them. */
const sorted = (a: Address, b: Address) => (a.toLowerCase() < b.toLowerCase() ? [a, b] : [b, a]) as [Address, Address];

/** Logs as another library writes them. */
function writeLog(id: string, chain: "ethereum" | "base", [token0, token1]: [Address, Address]) {
  const sides = { token0, token1 };
  const topicsOf = (abi: ReturnType<typeof parseAbiItem>, args: object) =>
    encodeEventTopics({ abi: [abi], args } as never) as string[];
  const pool = { type: "address" } as const;
  const number = { type: "uint256" } as const;
  const made = {
    uniswap_v2: () => ({
      topics: topicsOf(
        parseAbiItem("event PairCreated(address indexed token0, address indexed token1, address pair, uint256)"),
        sides,
      ),
      data: encodeAbiParameters([pool, number], [POOL, 12n]),
    }),
    uniswap_v3: () => ({
      topics: topicsOf(
        parseAbiItem(
          "event PoolCreated(address indexed token0, address indexed token1, uint24 indexed fee, int24 spacing, " +
            "address pool)",
        ),
        { ...sides, fee: 3000 },
      ),
      data: encodeAbiParameters([{ type: "int24" }, pool], [-60, POOL]),
    }),
    uniswap_v4: () => ({
      topics: topicsOf(
        parseAbiItem(
          "event Initialize(bytes32 indexed id, address indexed token0, address indexed token1, uint24 fee, " +
            "int24 spacing, address hooks, uint160 price, int24 tick)",
        ),
        { ...sides, id: keccak256("0x01") },
      ),
      data: encodeAbiParameters(
        [{ type: "uint24" }, { type: "int24" }, pool, { type: "uint160" }, { type: "int24" }],
        [3000, 60, POOL, 1n << 96n, -7],
      ),
    }),
    aerodrome: () => ({
      topics: topicsOf(
        parseAbiItem(
          "event PoolCreated(address indexed token0, address indexed token1, bool indexed stable, address pool, " +
            "uint256)",
        ),
        { ...sides, stable: false },
      ),
      data: encodeAbiParameters([pool, number], [POOL, 9n]),
    }),
    aerodrome_slipstream: () => ({
      topics: topicsOf(
        parseAbiItem(
          "event PoolCreated(address indexed token0, address indexed token1, int24 indexed spacing, address pool)",
        ),
        { ...sides, spacing: 200 },
      ),
      data: encodeAbiParameters([pool], [POOL]),
    }),
  }[id];
  if (!made) throw new Error(id);
  return { ...at, address: addressOf(chain, id), ...made() };
}

test("topics are the hashes of their events' signatures, and addresses are written as their checksums say", () => {
  for (const [kind, signature] of Object.entries(EVENTS)) {
    expect([kind, CREATION_TOPICS[kind as keyof typeof EVENTS]]).toEqual([kind, keccak256(toBytes(signature))]);
  }
  expect(FACTORIES.map(({ address }) => getAddress(address)).length).toBe(FACTORIES.length);
  expect(new Set(FACTORIES.map(({ chain, address }) => chain + address)).size).toBe(FACTORIES.length);
});

describe("a log of a factory", () => {
  test.each(FACTORIES.map(({ id, chain }) => [id, chain] as const))("of %s on %s, as viem writes it", (id, chain) => {
    const quote = chain === "base" ? BASE_WETH : WETH;
    const read = readCreation(chain, writeLog(id, chain, sorted(NEW, quote)));
    const pool = id === "uniswap_v4" ? keccak256("0x01") : POOL.toLowerCase();
    expect(read).toEqual({ factory: id, pool, token: NEW, quote: "WETH" });
  });

  test("of two known tokens, or of two unknown ones, launches neither; ether itself is known", () => {
    const tokenOf = (a: Address, b: Address) =>
      readCreation("ethereum", writeLog("uniswap_v4", "ethereum", sorted(a, b)));
    expect(tokenOf(WETH, USDC)).toMatchObject({ token: null, quote: null });
    expect(tokenOf(NEW, OTHER)).toMatchObject({ token: null, quote: null });
    expect(tokenOf(NEW, `0x${"0".repeat(40)}`)).toMatchObject({ token: NEW, quote: "ETH" });
  });

  test("of another contract, with another event's topic or another length does not count", () => {
    const log = writeLog("uniswap_v2", "ethereum", sorted(NEW, WETH));
    expect(readCreation("ethereum", { ...log, address: OTHER })).toBeNull();
    expect(readCreation("base", log)).toBeNull();
    expect(readCreation("ethereum", { ...log, topics: [CREATION_TOPICS.v3, ...log.topics.slice(1)] })).toBeNull();
    expect(readCreation("ethereum", { ...log, data: `${log.data}${"0".repeat(64)}` })).toBeNull();
    expect(readCreation("ethereum", { ...log, data: "0x" })).toBeNull();
    // More than an address in an address's place.
    expect(readCreation("ethereum", { ...log, data: `0x${"f".repeat(128)}` })).toBeNull();
  });
});
