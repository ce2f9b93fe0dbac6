import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  type Address,
  createPublicClient,
  createTestClient,
  createWalletClient,
  defineChain,
  encodeAbiParameters,
  getAbiItem,
  type Hex,
  http,
  parseAbi,
  publicActions,
  walletActions,
} from "viem";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { COLLECTOR, CONTRACT } from "../../src/payments/channels/contract.ts";
import { networkById } from "../../src/payments/networks/table.ts";
import { PERMIT2, UPTO_PROXY } from "../../src/payments/upto/contract.ts";
import { until } from "./hang-limit.ts";
import { type ContractName, loadCompiled } from "./usdc-token.ts";

const BINARY = join(import.meta.dir, "../../node_modules/@foundry-rs/anvil-linux-amd64/bin/anvil");
const CHAIN_ID = 8453;
const MULTICALL3 = "0xcA11bde05977b3631167028862bE2a173976CA11";
const STARTS_MAX = 5;
const ONE_COIN = 10n ** 18n;

export const hasAnvil = (): boolean => existsSync(BINARY);
/** Says once why tests were left out. */
export function explainNoAnvil(): void {
  if (!hasAnvil()) console.warn("skipped: there is no Anvil for this platform (@foundry-rs/anvil)");
}

export const USDC = (networkById("eip155:8453")?.asset ?? "0x") as Address;
export const USDC_ABI = parseAbi([
  "function mint(address to, uint256 value)",
  "function balanceOf(address account) view returns (uint256)",
  "function transfer(address to, uint256 value) returns (bool)",
  "function approve(address spender, uint256 value) returns (bool)",
  "function authorizationState(address authorizer, bytes32 nonce) view returns (bool)",
  "function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)",
  "function transferWithAuthorization(address, address, uint256, uint256, uint256, bytes32, bytes)",
  "event Transfer(address indexed from, address indexed to, uint256 value)",
]);

async function freePort(): Promise<number> {
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
  const port = Number(server.port);
  await server.stop(true);
  return port;
}

/** Anvil on a port that was free a moment ago; another one when somebody was quicker. */
async function spawnAnvil(): Promise<{ url: string; child: Bun.Subprocess }> {
  for (let start = 1; start <= STARTS_MAX; start++) {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const args = ["--port", String(port), "--chain-id", String(CHAIN_ID), "--accounts", "1", "--silent"];
    const child = Bun.spawn([BINARY, ...args], { stdio: ["ignore", "ignore", "ignore"] });
    let is_up = false;
    const hasBegun = async (): Promise<boolean> => {
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] });
      const headers = { "content-type": "application/json" };
      const answer = await fetch(url, { method: "POST", headers, body }).catch(() => null);
      // Without its port it ends by itself.
      is_up = answer?.ok === true && child.exitCode === null;
      return is_up || child.exitCode !== null;
    };
    await until(hasBegun, "Anvil");
    if (is_up) return { url, child };
  }
  throw new Error("Anvil did not start");
}

/** A chain of Base's id with a token at USDC's real address, where every transaction is a block at once. */
export async function startAnvil() {
  const { url, child } = await spawnAnvil();
  const chain = defineChain({
    id: CHAIN_ID,
    name: "Anvil",
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    rpcUrls: { default: { http: [url] } },
  });
  const options = { chain, transport: http(url), pollingInterval: 20, cacheTime: 0 };
  const test = createTestClient({ ...options, mode: "anvil" })
    .extend(publicActions)
    .extend(walletActions);
  const reader = createPublicClient(options);
  const { contracts } = loadCompiled();
  await test.setCode({ address: USDC, bytecode: contracts.TestUSDC.deployed });
  await test.setCode({ address: CONTRACT, bytecode: contracts.TestChannels.deployed });
  await test.setCode({ address: COLLECTOR, bytecode: contracts.TestDepositCollector.deployed });
  await test.setCode({ address: PERMIT2, bytecode: contracts.TestPermit2.deployed });
  await test.setCode({ address: UPTO_PROXY, bytecode: contracts.TestUptoProxy.deployed });
  await test.setCode({ address: MULTICALL3, bytecode: contracts.TestMulticall.deployed });

  const newAccount = async (coin = 0n): Promise<{ key: Hex; account: PrivateKeyAccount }> => {
    const key = generatePrivateKey();
    const account = privateKeyToAccount(key);
    if (coin > 0n) await test.setBalance({ address: account.address, value: coin });
    return { key, account };
  };
  const helper = await newAccount(100n * ONE_COIN);
  const wallet = createWalletClient({ ...options, account: helper.account });
  const mined = async (hash: Hex) => {
    const receipt = await reader.waitForTransactionReceipt({ hash });
    if (receipt.status !== "success") throw new Error(`transaction ${hash} failed`);
    return receipt;
  };

  return {
    url,
    reader,
    wallet,
    mined,
    newAccount,
    /** Gives coin for gas. */
    fund: (address: Address, value: bigint) => test.setBalance({ address, value }),
    mint: async (to: Address, value: bigint) =>
      mined(await wallet.writeContract({ address: USDC, abi: USDC_ABI, functionName: "mint", args: [to, value] })),
    /** Lets a contract take any sum from an account, be it somebody's key or a contract wallet. */
    async approve(owner: Address, spender: Address) {
      await test.setBalance({ address: owner, value: ONE_COIN });
      await test.impersonateAccount({ address: owner });
      const call = { address: USDC, abi: USDC_ABI, functionName: "approve", args: [spender, 2n ** 256n - 1n] } as const;
      await mined(await test.writeContract({ ...call, account: owner, chain }));
      await test.stopImpersonatingAccount({ address: owner });
    },
    balanceOf: (account: Address) =>
      reader.readContract({ address: USDC, abi: USDC_ABI, functionName: "balanceOf", args: [account] }),
    isUsed: (account: Address, nonce: Hex) =>
      reader.readContract({ address: USDC, abi: USDC_ABI, functionName: "authorizationState", args: [account, nonce] }),
    /** Transfers of the token between two accounts, of all time. */
    transfers: async (from: Address, to: Address) => {
      const event = getAbiItem({ abi: USDC_ABI, name: "Transfer" });
      return reader.getLogs({ address: USDC, event, args: { from, to }, fromBlock: 0n });
    },
    /** Deploys one of the test contracts. */
    async deploy(name: ContractName, args: readonly Address[] = []): Promise<Address> {
      const types = args.map(() => ({ type: "address" }) as const);
      const data = `${contracts[name].creation}${encodeAbiParameters(types, args).slice(2)}` as Hex;
      const { contractAddress } = await mined(await wallet.sendTransaction({ data }));
      if (!contractAddress) throw new Error(`${name} was not deployed`);
      return contractAddress;
    },
    /** Sends nothing from an account, as another program that holds its key would. */
    async sendFrom(key: Hex, to: Address) {
      const other = createWalletClient({ ...options, account: privateKeyToAccount(key) });
      return mined(await other.sendTransaction({ to, value: 0n }));
    },
    /** Of the next block, in wei per gas. */
    setBaseFee: (value: bigint) => test.setNextBlockBaseFeePerGas({ baseFeePerGas: value }),
    /** While off, transactions wait in the pool. */
    setAutomine: (on: boolean) => test.setAutomine(on),
    mine: () => test.mine({ blocks: 1 }),
    /** Moves the chain's clock on, and makes a block. */
    async pass(seconds: number) {
      await test.increaseTime({ seconds });
      await test.mine({ blocks: 1 });
    },
    snapshot: () => test.snapshot(),
    revert: (id: Hex) => test.revert({ id }),
    transactionCount: (address: Address) => reader.getTransactionCount({ address }),
    async stop() {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}
export type Anvil = Awaited<ReturnType<typeof startAnvil>>;
