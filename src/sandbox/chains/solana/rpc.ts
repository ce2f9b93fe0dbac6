import { base58 } from "@scure/base";
import { Type } from "@sinclair/typebox";
import { decodeSolanaAddress } from "../../../core/solana-address.ts";
import { createReader } from "../../../payments/codec.ts";
import type { SolanaBank, SolanaBooked } from "./bank.ts";
import { BLOCKHASH_AGE_MAX, blockhashOf, blockTimeOf, heightAt, isRecent } from "./blocks.ts";
import { execute, type SolanaRun } from "./execute.ts";

const TOKEN = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";
const DECIMALS = 6;
const GENESIS_HASH = "EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG";
const SLOTS_PER_EPOCH = 432_000;
const LISTED_MAX = 1_000;
const LOOKED_UP_MAX = 256;
/** Roughly the compute units of a transfer. */
const UNITS_PER_INSTRUCTION = 1_600;
/** Network fee for two signatures, which nobody pays in the sandbox. */
const FEE_LAMPORTS = 10_000;
const RENT_LAMPORTS = 2_039_280;

const readRequest = createReader(
  Type.Object({
    id: Type.Optional(Type.Union([Type.Null(), Type.Number(), Type.String({ maxLength: 100 })])),
    method: Type.String(),
    params: Type.Optional(Type.Array(Type.Unknown(), { maxItems: 10 })),
  }),
);
const Address = Type.String({ pattern: "^[1-9A-HJ-NP-Za-km-z]{32,44}$" });
const readAddress = createReader(Address);
const readSignature = createReader(Type.String({ pattern: "^[1-9A-HJ-NP-Za-km-z]{64,88}$" }));
const readSignatures = createReader(Type.Array(Type.String({ maxLength: 88 }), { maxItems: LOOKED_UP_MAX }));
const readSlot = createReader(Type.Integer({ minimum: 0 }));
const readWire = createReader(Type.String({ pattern: "^[A-Za-z0-9+/]{1,2048}={0,2}$" }));
const readOptions = createReader(
  Type.Object({
    encoding: Type.Optional(Type.String()),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: LISTED_MAX })),
    before: Type.Optional(Type.String()),
    until: Type.Optional(Type.String()),
    minContextSlot: Type.Optional(Type.Integer({ minimum: 0 })),
    replaceRecentBlockhash: Type.Optional(Type.Boolean()),
  }),
);
type Options = NonNullable<ReturnType<typeof readOptions>>;

class RPCError extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

function need<T>(value: T | null, what: string): T {
  if (value === null) throw new RPCError(-32602, `invalid params: ${what}`);
  return value;
}

/** An account of the token program with these bytes, in the form that a node shows. */
const renderAccount = (data: Buffer) => ({
  data: [data.toString("base64"), "base64"],
  executable: false,
  lamports: RENT_LAMPORTS,
  owner: TOKEN,
  rentEpoch: 0,
  space: data.length,
});

/** A mint of 6 decimals without authorities (layout of the SPL Token program). */
function renderMint(): Buffer {
  const data = Buffer.alloc(82);
  data.writeBigUInt64LE(10n ** 16n, 36);
  data.writeUInt8(DECIMALS, 44);
  data.writeUInt8(1, 45);
  return data;
}

/** An initialised token account (layout of the SPL Token program). */
function renderTokenAccount(mint: string, owner: string, held: { amount: bigint; frozen: boolean }): Buffer {
  const data = Buffer.alloc(165);
  data.set(decodeSolanaAddress(mint) ?? [], 0);
  data.set(decodeSolanaAddress(owner) ?? [], 32);
  data.writeBigUInt64LE(held.amount, 64);
  data.writeUInt8(held.frozen ? 2 : 1, 108);
  return data;
}

const renderAmount = (amount: bigint) => {
  const uiAmount = Number(amount) / 10 ** DECIMALS;
  return { amount: amount.toString(), decimals: DECIMALS, uiAmount, uiAmountString: String(uiAmount) };
};

/** A landed transaction in the form of getTransaction. */
function renderTransaction(row: SolanaBooked, mint: string, bank: SolanaBank) {
  const slot = heightAt(row.at_ms);
  const balances = (when: "before" | "after") =>
    row.balances.map((one) => ({
      accountIndex: row.accounts.indexOf(one.account),
      mint,
      owner: bank.ownerOf(one.account) ?? one.account,
      programId: TOKEN,
      uiTokenAmount: renderAmount(one[when]),
    }));
  const lamports = row.accounts.map(() => RENT_LAMPORTS);
  const meta = {
    err: null,
    status: { Ok: null },
    fee: FEE_LAMPORTS,
    computeUnitsConsumed: UNITS_PER_INSTRUCTION,
    preBalances: lamports,
    postBalances: lamports,
    preTokenBalances: balances("before"),
    postTokenBalances: balances("after"),
    innerInstructions: [],
    logMessages: [],
    rewards: [],
    loadedAddresses: { readonly: [], writable: [] },
  };
  const version = (Buffer.from(row.wire, "base64")[129] ?? 0) >= 0x80 ? 0 : "legacy";
  return { slot, blockTime: blockTimeOf(slot), meta, transaction: [row.wire, "base64"], version };
}

export interface SolanaRPCOptions {
  readonly mint: string;
  readonly bank: SolanaBank;
  readonly now_ms: () => number;
  readonly findAccount: SolanaRun["findAccount"];
}

/** The JSON-RPC methods needed to build a payment and to read it back. Every block is final at once. */
export function createSolanaRPC({ mint, bank, now_ms, findAccount }: SolanaRPCOptions) {
  const height = (): number => heightAt(now_ms());
  const withContext = (value: unknown) => ({ context: { slot: height(), apiVersion: "2.0.0" }, value });
  const find = (signature: string) => bank.booked.findLast((row) => row.signature === signature);

  const getAccountInfo = (account: string) => {
    if (account === mint) return withContext(renderAccount(renderMint()));
    const owner = bank.ownerOf(account);
    const state = bank.accounts.stateOf(account);
    if (owner === undefined || state === "missing") return withContext(null);
    const held = { amount: bank.balanceOf(account), frozen: state === "frozen" };
    return withContext(renderAccount(renderTokenAccount(mint, owner, held)));
  };
  const getSignatures = (account: string, { limit = LISTED_MAX, before, until }: Options) => {
    const rows = bank.booked.filter((row) => row.accounts.includes(account)).reverse();
    const from = before === undefined ? 0 : rows.findIndex((row) => row.signature === before) + 1;
    const end = rows.findIndex((row) => row.signature === until);
    return rows
      .slice(from, end < 0 ? undefined : end)
      .slice(0, limit)
      .map((row) => {
        const slot = heightAt(row.at_ms);
        const { signature, memo } = row;
        return { signature, slot, err: null, memo, blockTime: blockTimeOf(slot), confirmationStatus: "finalized" };
      });
  };
  const getStatuses = (signatures: readonly string[]) =>
    signatures.map((signature) => {
      const row = find(signature);
      if (!row) return null;
      const slot = heightAt(row.at_ms);
      return { slot, confirmations: null, err: null, status: { Ok: null }, confirmationStatus: "finalized" };
    });
  const simulate = async (wire: string, { replaceRecentBlockhash = false }: Options) => {
    const any_blockhash = replaceRecentBlockhash;
    const outcome = await execute(wire, { bank, mint, height: height(), findAccount, any_blockhash });
    const unitsConsumed = outcome.error === null ? outcome.instructions * UNITS_PER_INSTRUCTION : 0;
    const parts = { logs: [], accounts: null, innerInstructions: null, returnData: null, loadedAccountsDataSize: 0 };
    return withContext({ err: outcome.error, unitsConsumed, ...parts });
  };
  const latest = () => {
    const now = height();
    return withContext({ blockhash: blockhashOf(now), lastValidBlockHeight: now + BLOCKHASH_AGE_MAX });
  };
  const getTransaction = (signature: string, { encoding }: Options) => {
    if (encoding !== "base64") throw new RPCError(-32602, "only encoding base64 is simulated");
    const row = find(signature);
    return row ? renderTransaction(row, mint, bank) : null;
  };
  const getEpoch = () => {
    const now = height();
    const [slotIndex, epoch] = [now % SLOTS_PER_EPOCH, Math.floor(now / SLOTS_PER_EPOCH)];
    return { absoluteSlot: now, blockHeight: now, epoch, slotIndex, slotsInEpoch: SLOTS_PER_EPOCH };
  };

  type Method = (params: readonly unknown[], options: Options) => unknown;
  const address = (params: readonly unknown[]) => need(readAddress(params[0]), "an address");
  const methods: Readonly<Record<string, Method>> = {
    getAccountInfo: (params) => getAccountInfo(address(params)),
    getBalance: () => withContext(0),
    getBlockHeight: () => height(),
    getBlockTime: ([slot]) => blockTimeOf(need(readSlot(slot), "a slot")),
    getEpochInfo: () => getEpoch(),
    getGenesisHash: () => GENESIS_HASH,
    getHealth: () => "ok",
    getLatestBlockhash: () => latest(),
    getMinimumBalanceForRentExemption: () => RENT_LAMPORTS,
    getSignaturesForAddress: (params, options) => getSignatures(address(params), options),
    getSignatureStatuses: ([list]) => withContext(getStatuses(need(readSignatures(list), "signatures"))),
    getSlot: () => height(),
    getTokenAccountBalance: (params) => withContext(renderAmount(bank.balanceOf(address(params)))),
    getTransaction: ([signature], options) => {
      const text = need(readSignature(signature), "a signature");
      if (base58.decode(text).length !== 64) throw new RPCError(-32602, "invalid params: a signature");
      return getTransaction(text, options);
    },
    getVersion: () => ({ "solana-core": "2.0.0", "feature-set": 0 }),
    isBlockhashValid: (params) => withContext(isRecent(address(params), height())),
    simulateTransaction: ([wire], options) => simulate(need(readWire(wire), "a base64 transaction"), options),
  };

  /** Refuses a `minContextSlot` that the chain has not reached. */
  const checkSlot = ({ minContextSlot = 0 }: Options): void => {
    if (minContextSlot > height()) throw new RPCError(-32016, "Minimum context slot has not been reached");
  };

  return async (given: unknown): Promise<unknown> => {
    if (given === undefined) return { jsonrpc: "2.0", id: null, error: { code: -32700, message: "Parse error" } };
    const request = readRequest(given);
    const id = request?.id ?? null;
    if (!request) return { jsonrpc: "2.0", id, error: { code: -32600, message: "Invalid request" } };
    const { method, params = [] } = request;
    try {
      const run = Object.hasOwn(methods, method) ? methods[method] : undefined;
      if (!run) throw new RPCError(-32601, `${method.slice(0, 60)} is not simulated`);
      const options = readOptions(params[1]) ?? {};
      checkSlot(options);
      return { jsonrpc: "2.0", id, result: await run(params, options) };
    } catch (error) {
      if (!(error instanceof RPCError)) throw error;
      return { jsonrpc: "2.0", id, error: { code: error.code, message: error.message } };
    }
  };
}
