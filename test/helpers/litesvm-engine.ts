import {
  type Address,
  address,
  getBase58Decoder,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  lamports,
} from "@solana/kit";
import { PublicKey } from "@solana/web3.js";
import { FailedTransactionMetadata, LiteSVM, type TransactionMetadata } from "litesvm";
import { findTestTokenAccount } from "../../src/sandbox/test-payer-solana.ts";

/** The real USDC of the main network. */
export const MINT = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const TOKEN = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";
const MEMO = "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr";
const LIGHTHOUSE = "L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95";
const GENESIS_HASH = "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d";
const RENT = lamports(2_039_280n);
const SLOT_MS = 400;

interface Row {
  readonly signature: string;
  readonly slot: number;
  readonly blockTime: number;
  readonly err: unknown;
  readonly memo: string | null;
  readonly wire: string;
  readonly accounts: readonly string[];
  readonly before: readonly bigint[];
  readonly after: readonly bigint[];
}

const decode = (wire: string) => {
  const transaction = getTransactionDecoder().decode(getBase64Encoder().encode(wire));
  return { transaction, message: getCompiledTransactionMessageDecoder().decode(transaction.messageBytes) };
};
const renderError = (result: FailedTransactionMetadata): unknown => result.toString().slice(0, 200);
/** Only what the token program, or another, said after the fee was taken lands; the rest never gets into a block. */
const hasLanded = (result: TransactionMetadata | FailedTransactionMetadata): boolean =>
  !(result instanceof FailedTransactionMetadata) || result.meta().logs().length > 0;

/** With the guards' program, for which that of memos stands in: it too reads its accounts and moves nothing. */
function createRuntime(): LiteSVM {
  const svm = new LiteSVM();
  const memo_program = svm.getAccount(address(MEMO));
  if (memo_program.exists) svm.addProgram(address(LIGHTHOUSE), Uint8Array.from(memo_program.data));
  return svm;
}

/** The Solana runtime with the real token program in this process, behind the JSON-RPC that payments need. */
export function startSolanaEngine() {
  const svm = createRuntime();
  const rows: Row[] = [];
  const calls: string[] = [];
  /** Methods whose answer gets lost after the work is done. */
  const lost = new Set<string>();
  /** Time of the chain, moved by hand. */
  let now_ms = Date.now();
  const slot = () => Math.floor(now_ms / SLOT_MS);
  const put = (at: string, data: Uint8Array) =>
    svm.setAccount({
      address: address(at),
      data,
      executable: false,
      lamports: RENT,
      programAddress: address(TOKEN),
      space: BigInt(data.length),
    });
  const mint = Buffer.alloc(82);
  mint.writeBigUInt64LE(10n ** 15n, 36);
  mint.writeUInt8(6, 44);
  mint.writeUInt8(1, 45);
  put(MINT, mint);

  const dataOf = (at: string): Uint8Array | null => {
    const account = svm.getAccount(address(at));
    return account.exists && account.programAddress === TOKEN ? Uint8Array.from(account.data) : null;
  };
  const amountAt = (at: string): bigint => {
    const data = dataOf(at);
    return data?.length === 165 ? Buffer.from(data).readBigUInt64LE(64) : -1n;
  };
  const withContext = (value: unknown) => ({ context: { slot: slot() }, value });

  function send(wire: string): string {
    const { transaction, message } = decode(wire);
    const accounts: readonly string[] = message.staticAccounts;
    const before = accounts.map(amountAt);
    const result = svm.sendTransaction(transaction);
    const [first] = Object.values(transaction.signatures);
    const signature = getBase58Decoder().decode(first ?? new Uint8Array(64));
    if (hasLanded(result)) {
      const memos = message.instructions
        .filter((one) => accounts[one.programAddressIndex] === MEMO)
        .map(({ data = [] }) => `[${data.length}] ${Buffer.from(Uint8Array.from(data)).toString("utf8")}`);
      rows.push({
        signature,
        slot: slot(),
        blockTime: Math.floor(now_ms / 1_000),
        err: result instanceof FailedTransactionMetadata ? renderError(result) : null,
        memo: memos.length > 0 ? memos.join("; ") : null,
        wire,
        accounts,
        before,
        after: accounts.map(amountAt),
      });
    }
    return signature;
  }
  /** What the runtime's own simulation does not tell: the slot of the fee payer is no part of a message. */
  const isDone = (wire: string): boolean => {
    const messageOf = (text: string) => Buffer.from(text, "base64").subarray(129).toString("hex");
    return rows.some((row) => messageOf(row.wire) === messageOf(wire));
  };
  function simulate(wire: string, { replaceRecentBlockhash = false }: { replaceRecentBlockhash?: boolean }) {
    if (isDone(wire)) return withContext({ err: "AlreadyProcessed", logs: [], accounts: null, returnData: null });
    svm.withSigverify(false).withBlockhashCheck(!replaceRecentBlockhash);
    const result = svm.simulateTransaction(decode(wire).transaction);
    svm.withSigverify(true).withBlockhashCheck(true);
    const failed = result instanceof FailedTransactionMetadata;
    const meta = result.meta();
    return withContext({
      err: failed ? renderError(result) : null,
      logs: meta.logs(),
      unitsConsumed: Number(meta.computeUnitsConsumed()),
      innerInstructions: null,
      accounts: null,
      returnData: null,
    });
  }
  const renderBalances = ({ accounts }: Row, amounts: readonly bigint[]) =>
    accounts.flatMap((_, accountIndex) => {
      const amount = amounts[accountIndex] ?? -1n;
      return amount < 0n ? [] : [{ accountIndex, mint: MINT, uiTokenAmount: { amount: String(amount), decimals: 6 } }];
    });
  const renderTransaction = (row: Row) => ({
    slot: row.slot,
    blockTime: row.blockTime,
    transaction: [row.wire, "base64"],
    meta: {
      err: row.err,
      fee: 10_000,
      preTokenBalances: renderBalances(row, row.before),
      postTokenBalances: renderBalances(row, row.after),
    },
  });
  const renderAccount = (at: string) => {
    const data = dataOf(at);
    if (!data) return null;
    const common = { executable: false, lamports: Number(RENT), owner: TOKEN, rentEpoch: 0, space: data.length };
    return { ...common, data: [Buffer.from(data).toString("base64"), "base64"] };
  };

  type Params = readonly [never, Record<string, never>?];
  const methods: Readonly<Record<string, (...params: Params) => unknown>> = {
    getAccountInfo: (at) => withContext(renderAccount(at)),
    getGenesisHash: () => GENESIS_HASH,
    getBalance: (at) => withContext(Number(svm.getBalance(address(at)) ?? 0n)),
    getLatestBlockhash: () => withContext({ blockhash: svm.latestBlockhash(), lastValidBlockHeight: slot() + 150 }),
    simulateTransaction: (wire, options = {}) => simulate(wire, options),
    sendTransaction: (wire) => send(wire),
    getSignatureStatuses: (list: readonly string[]) =>
      withContext(
        list.map((signature) => {
          const row = rows.find((one) => one.signature === signature);
          return row ? { slot: row.slot, confirmations: null, err: row.err, confirmationStatus: "finalized" } : null;
        }),
      ),
    getTransaction: (signature) => {
      const row = rows.find((one) => one.signature === signature);
      return row ? renderTransaction(row) : null;
    },
    getSignaturesForAddress: (at) =>
      rows
        .filter(({ accounts }) => accounts.includes(at))
        .map(({ signature, slot: landed, blockTime, err, memo }) => ({ signature, slot: landed, blockTime, err, memo }))
        .reverse(),
    isBlockhashValid: (hash) => withContext(hash === svm.latestBlockhash()),
    getBlockTime: (at: number) => Math.floor((at * SLOT_MS) / 1_000),
  };
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { id, method, params } = (await request.json()) as { id: number; method: string; params: Params };
      calls.push(method);
      const run = methods[method];
      if (!run) return Response.json({ jsonrpc: "2.0", id, error: { code: -32601, message: method } });
      const result = run(...params);
      return lost.has(method)
        ? new Response("bad gateway", { status: 502 })
        : Response.json({ jsonrpc: "2.0", id, result });
    },
  });

  return {
    url: `http://127.0.0.1:${server.port}`,
    calls,
    lost,
    rows: rows as readonly Row[],
    blockhash: (): string => svm.latestBlockhash(),
    /** Pays network fees with test SOL. */
    airdrop: (to: Address, amount = 1_000_000_000n) => svm.airdrop(to, lamports(amount)),
    /** Lamports of an account. */
    coinsOf: (owner: string): bigint => svm.getBalance(address(owner)) ?? 0n,
    /** Writes a token account of a wallet, as if it had been made and filled. Returns it. */
    async hold(owner: string, amount: bigint, state: "open" | "frozen" = "open"): Promise<string> {
      const account = await findTestTokenAccount(owner, MINT);
      const data = Buffer.alloc(165);
      data.set(new PublicKey(MINT).toBytes(), 0);
      data.set(new PublicKey(owner).toBytes(), 32);
      data.writeBigUInt64LE(amount, 64);
      data.writeUInt8(state === "open" ? 1 : 2, 108);
      put(account, data);
      return account;
    },
    /** Takes the token account of a wallet away, as its owner can. */
    async close(owner: string): Promise<void> {
      const account = address(await findTestTokenAccount(owner, MINT));
      const system = address("11111111111111111111111111111111");
      const gone = { data: new Uint8Array(), executable: false, lamports: lamports(0n), space: 0n };
      svm.setAccount({ address: account, programAddress: system, ...gone });
    },
    balanceOf: async (owner: string): Promise<bigint> => amountAt(await findTestTokenAccount(owner, MINT)),
    /** 150 blocks and more go by: what was signed before can land no more. */
    expire(ms: number): void {
      now_ms += ms;
      svm.expireBlockhash();
    },
    send,
    stop: () => server.stop(true),
  };
}
export type SolanaEngine = ReturnType<typeof startSolanaEngine>;
