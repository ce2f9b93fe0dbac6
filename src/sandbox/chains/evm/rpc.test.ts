import { afterAll, describe, expect, test } from "bun:test";
import { createPublicClient, getAbiItem, http, keccak256, parseAbi, stringToBytes } from "viem";
import { baseSepolia } from "viem/chains";
import { createStillClock } from "../../../../test/helpers/still-clock.ts";
import { createSandbox } from "../../index.ts";
import { createTestPayer, signTestTransfer } from "../../test-payer.ts";

const NOW_MS = Date.UTC(2026, 0, 15);
const ASSET = "0x036CbD53842c5426634e7929541eC2318f3dCF7e";
const SELLER = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";
const ABI = parseAbi([
  "function balanceOf(address) view returns (uint256)",
  "function authorizationState(address, bytes32) view returns (bool)",
  "function name() view returns (string)",
  "event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)",
  "event Transfer(address indexed from, address indexed to, uint256 value)",
]);
const USED = getAbiItem({ abi: ABI, name: "AuthorizationUsed" });
const MOVED = getAbiItem({ abi: ABI, name: "Transfer" });

const clock = createStillClock(NOW_MS);
const sandbox = await createSandbox({ seed: "s", clock, simulators: [] });
afterAll(() => sandbox.stop());
const chain = createPublicClient({ chain: baseSepolia, transport: http(sandbox.rpcUrl("base_sepolia")), cacheTime: 0 });
const payer = await createTestPayer("rpc");

const nonceOf = (number: number) => `0x${number.toString(16).padStart(64, "0")}` as const;
const readState = (number: number) =>
  chain.readContract({
    address: ASSET,
    abi: ABI,
    functionName: "authorizationState",
    args: [payer.address, nonceOf(number)],
  });
const readBalance = (address: `0x${string}`) =>
  chain.readContract({ address: ASSET, abi: ABI, functionName: "balanceOf", args: [address] });

/** Settles one payment over the facilitator; returns the transaction. */
async function settle(number: number, value = 10_000n): Promise<`0x${string}`> {
  const requirement = {
    scheme: "exact",
    network: "eip155:84532",
    amount: value.toString(),
    asset: ASSET,
    payTo: SELLER,
    extra: { name: "USDC", version: "2" },
  };
  const payload = await signTestTransfer(payer, {
    domain: { name: "USDC", version: "2", chainId: 84532 },
    asset: ASSET,
    to: SELLER,
    value,
    valid_after_s: 0n,
    valid_before_s: 4_000_000_000n,
    nonce: nonceOf(number),
  });
  const paymentPayload = { x402Version: 2, accepted: requirement, payload };
  const body = JSON.stringify({ x402Version: 2, paymentPayload, paymentRequirements: requirement });
  const response = await fetch(`${sandbox.facilitatorUrl()}/settle`, { method: "POST", body });
  const { success, transaction } = (await response.json()) as { success: boolean; transaction: `0x${string}` };
  expect(success).toBe(true);
  return transaction;
}

describe("the chain, read by viem,", () => {
  test("is Base Sepolia, with a block every 2 seconds of the sandbox clock", async () => {
    expect(await chain.getChainId()).toBe(84532);
    const before = await chain.getBlock();
    expect(Number(before.timestamp) * 1000).toBeLessThanOrEqual(clock.now());
    expect(Number(before.timestamp) * 1000).toBeGreaterThan(clock.now() - 2_000);
    clock.advance(60_000);
    expect(await chain.getBlockNumber()).toBe(before.number + 30n);
    expect(await chain.getBlock({ blockNumber: before.number })).toEqual(before);
    await expect(chain.getBlock({ blockNumber: before.number + 31n })).rejects.toThrow("could not be found");
  });

  test("knows the token as the only contract", async () => {
    expect(await chain.getCode({ address: ASSET })).toBe("0x01");
    expect(await chain.getCode({ address: payer.address })).toBeUndefined();
  });

  test("distinguishes used from unused authorizations", async () => {
    expect(await readState(1)).toBe(false);
    await settle(1);
    expect([await readState(1), await readState(2)]).toEqual([true, false]);
  });

  test("shows balances: 100 USDC at first, minus payments", async () => {
    const [before, seller] = [await readBalance(payer.address), await readBalance(SELLER)];
    await settle(3, 25_000n);
    expect(before - (await readBalance(payer.address))).toBe(25_000n);
    expect((await readBalance(SELLER)) - seller).toBe(25_000n);
  });

  test("shows the same balances as the sandbox itself, even for an unknown address", async () => {
    await settle(30);
    for (const address of [payer.address, SELLER, "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"] as const) {
      expect(sandbox.readChain().balance(address)).toBe(String(await readBalance(address)));
    }
    expect(sandbox.readChain().balance("0x70997970C51812dc3A010C7d01b50e0d17dc79C8")).toBe("100000000");
    expect(sandbox.readChain().balance("nobody")).toBe("0");
  });

  test("shows a settlement as a receipt with the two events of the token, and as a transaction", async () => {
    clock.advance(10_000);
    const hash = await settle(4, 12_345n);
    const receipt = await chain.getTransactionReceipt({ hash });
    expect(receipt).toMatchObject({ status: "success", transactionHash: hash, to: ASSET.toLowerCase() });
    expect(receipt.blockNumber).toBe(await chain.getBlockNumber());
    expect(receipt.logs.map(({ topics }) => topics[0])).toEqual([
      keccak256(stringToBytes("AuthorizationUsed(address,bytes32)")),
      keccak256(stringToBytes("Transfer(address,address,uint256)")),
    ]);
    const transaction = await chain.getTransaction({ hash });
    expect(transaction).toMatchObject({ hash, from: payer.address.toLowerCase(), blockNumber: receipt.blockNumber });
    expect((await chain.getBlock({ blockNumber: receipt.blockNumber })).transactions).toEqual([hash]);
  });

  test("shows nothing for a transaction that does not exist", async () => {
    const hash = nonceOf(99);
    await expect(chain.getTransactionReceipt({ hash })).rejects.toThrow("could not be found");
    await expect(chain.getTransaction({ hash })).rejects.toThrow("could not be found");
  });

  test("finds the events of one authorization, decoded", async () => {
    const hash = await settle(5, 777n);
    const used = await chain.getLogs({
      address: ASSET,
      event: USED,
      args: { authorizer: payer.address, nonce: nonceOf(5) },
      fromBlock: 0n,
    });
    expect(used.map(({ transactionHash }) => transactionHash)).toEqual([hash]);
    const [block] = used;
    const moved = await chain.getLogs({
      address: ASSET,
      event: MOVED,
      args: { from: payer.address, to: SELLER },
      fromBlock: block?.blockNumber ?? 0n,
    });
    expect(moved.find(({ transactionHash }) => transactionHash === hash)?.args).toMatchObject({ value: 777n });
  });

  test("keeps settlements of one block apart", async () => {
    clock.advance(10_000);
    const hashes = [await settle(6), await settle(7)];
    const logs = await chain.getLogs({ address: ASSET, fromBlock: await chain.getBlockNumber() });
    const places = logs.map(({ transactionHash, transactionIndex }) => `${transactionHash} ${transactionIndex}`);
    expect(places).toEqual([`${hashes[0]} 0`, `${hashes[0]} 0`, `${hashes[1]} 1`, `${hashes[1]} 1`]);
    expect(new Set(logs.map(({ logIndex }) => logIndex)).size).toBe(4);
  });

  test("searches only the requested blocks and contract", async () => {
    clock.advance(10_000);
    await settle(8);
    const height = await chain.getBlockNumber();
    const count = async (filter: object) => (await chain.getLogs({ address: ASSET, ...filter })).length;
    expect(await count({ fromBlock: height, toBlock: height })).toBe(2);
    expect(await count({ fromBlock: height - 4n, toBlock: height - 1n })).toBe(0);
    expect(await count({ fromBlock: height, address: SELLER })).toBe(0);
    const nobody = { args: { authorizer: SELLER }, event: USED };
    expect(await count({ fromBlock: 0n, ...nobody })).toBe(0);
  });
});

describe("the RPC refuses", () => {
  const post = async (body: string) => {
    const response = await fetch(sandbox.rpcUrl("base_sepolia"), { method: "POST", body });
    expect(response.status).toBe(body === "{" || body === "" ? 400 : 200);
    return (await response.json()) as { id: unknown; error?: { code: number } };
  };
  test.each([
    [
      "a method it does not have",
      '{"jsonrpc":"2.0","id":7,"method":"eth_sendRawTransaction","params":["0x"]}',
      7,
      -32601,
    ],
    ["a filter of another shape", '{"id":"a","method":"eth_getLogs","params":[{"topics":"x"}]}', "a", -32602],
    [
      "a function the token does not have",
      `{"id":1,"method":"eth_call","params":[{"to":"${ASSET}","data":"0x"}]}`,
      1,
      3,
    ],
    ["what is no request", "[]", null, -32600],
    ["what is no JSON", "{", null, -32700],
    ["nothing", "", null, -32700],
    ["an id that is no id", '{"id":{},"method":"eth_chainId"}', null, -32600],
  ])("%s", async (_, body, id, code) => {
    expect(await post(body)).toMatchObject({ jsonrpc: "2.0", id, error: { code } });
  });
});
