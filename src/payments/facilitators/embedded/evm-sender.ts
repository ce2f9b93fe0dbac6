import type { Hex, PrivateKeyAccount, PublicClient } from "viem";
import { sleep, systemTimers } from "../../../core/clock.ts";
import { isNonceTrouble, isNotTaken, isRevert, isTakenAlready, plainError } from "./evm-errors.ts";
import type { GasSpending, SendWatch } from "./types.ts";

export interface EvmSenderOptions {
  readonly viem: typeof import("./viem.ts");
  /** Asks the endpoints in order. */
  readonly client: PublicClient;
  /** One client for each endpoint. */
  readonly singles: readonly PublicClient[];
  readonly account: PrivateKeyAccount;
  readonly chain_id: number;
  readonly confirm_ms: number;
}

export interface EvmCall {
  readonly to: Hex;
  readonly data: Hex;
  /** Whether it is the payment itself, not what prepares it. */
  readonly pays: boolean;
  /** Units of gas it may take. */
  readonly gas_max: bigint;
  /** What it may cost, in the smallest unit of the coin; null is any amount. */
  readonly cost_max: bigint | null;
}

const POLL_MS = 250;
const SENDS_MAX = 2;
/** Per gas. Base asks for about 0.001 gwei; an endpoint that suggests more than the base fee is not followed. */
const PRIORITY_FEE_MIN = 1_000_000n;

class NotTaken extends Error {}

/** Sends from one gas account, one transaction after the other, because its nonces are one sequence. */
export function createEvmSender(options: EvmSenderOptions) {
  const { viem, client, singles, account, chain_id, confirm_ms } = options;
  const spendings = new Map<Hex, GasSpending>();
  let next_nonce: number | null = null;
  let line: Promise<unknown> = Promise.resolve();

  async function fees() {
    const [block, suggested] = await Promise.all([
      client.getBlock(),
      client.estimateMaxPriorityFeePerGas().catch(() => PRIORITY_FEE_MIN),
    ]);
    const base = block.baseFeePerGas ?? 0n;
    const ceiling = base > PRIORITY_FEE_MIN ? base : PRIORITY_FEE_MIN;
    const priority = suggested < ceiling ? suggested : ceiling;
    // The base fee can grow by an eighth a block.
    return { max_fee: 2n * base + priority, priority, expected: (base * 9n) / 8n + priority };
  }

  /** The endpoint's word on pending ones may lag behind what was just sent. */
  async function nextNonce(): Promise<number> {
    const counted = await client.getTransactionCount({ address: account.address, blockTag: "pending" });
    return Math.max(counted, next_nonce ?? 0);
  }

  /**
   * Offers a signed transaction to one endpoint after the other until one takes it.
   * @throws NotTaken when certainly none did; another error when one may have.
   */
  async function broadcast(watch: SendWatch, serialized: Hex): Promise<void> {
    let maybe = false;
    let last = "no RPC endpoint is configured";
    for (const single of singles) {
      try {
        await single.sendRawTransaction({ serializedTransaction: serialized });
        return;
      } catch (error) {
        if (isTakenAlready(error)) return;
        last = plainError(error).message;
        if (!isNotTaken(error)) maybe = true;
      }
    }
    next_nonce = null;
    if (maybe) throw new Error(last);
    watch.takeBack();
    throw new NotTaken(last);
  }

  /** What a call takes, and a little more: state may change until it is in a block. */
  async function estimate({ to, data }: Pick<EvmCall, "to" | "data">): Promise<bigint> {
    return ((await client.estimateGas({ account: account.address, to, data })) * 5n) / 4n;
  }

  async function sendOnce(watch: SendWatch, call: EvmCall): Promise<Hex> {
    const { to, data, pays, cost_max } = call;
    const gas = await estimate(call);
    const [{ max_fee, priority, expected }, nonce] = await Promise.all([fees(), nextNonce()]);
    if (gas > call.gas_max) throw new Error(`it would take ${gas} gas, which is too much`);
    if (cost_max !== null && gas * expected > cost_max) throw new Error("its gas would cost more than its share");
    const serialized = await account.signTransaction({
      type: "eip1559",
      chainId: chain_id,
      nonce,
      to,
      data,
      gas,
      maxFeePerGas: max_fee,
      maxPriorityFeePerGas: priority,
    });
    const hash = viem.keccak256(serialized);
    const spending = await watch.beforeSend({ cost_max: gas * max_fee, ...(pays ? { transaction: hash } : {}) });
    try {
      await broadcast(watch, serialized);
    } catch (error) {
      if (error instanceof NotTaken) spending.correct(0n);
      throw error;
    }
    next_nonce = nonce + 1;
    spendings.set(hash, spending);
    return hash;
  }

  async function send(watch: SendWatch, call: EvmCall): Promise<Hex> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await sendOnce(watch, call);
      } catch (error) {
        const not_taken = error instanceof NotTaken;
        if (not_taken && isNonceTrouble(error) && attempt < SENDS_MAX) continue;
        const plain = plainError(error);
        if (not_taken || (error instanceof viem.BaseError && !isRevert(viem, error))) watch.noteFault(plain);
        throw plain;
      }
    }
  }

  return {
    fees,
    estimate,
    /** @throws Error with nothing of an endpoint's address in it. */
    send(watch: SendWatch, call: EvmCall): Promise<Hex> {
      const sent = line.then(() => send(watch, call));
      line = sent.catch(() => undefined);
      return sent;
    },
    /** The receipt, once the transaction is in a block. @throws Error when it is in none after `confirm_ms`. */
    async waitFor(hash: Hex) {
      const end = systemTimers.elapsed_ms() + confirm_ms;
      try {
        while (systemTimers.elapsed_ms() < end) {
          const receipt = await client.getTransactionReceipt({ hash }).catch(() => null);
          if (receipt) {
            spendings.get(hash)?.correct(costOf(receipt));
            return receipt;
          }
          await sleep(systemTimers, POLL_MS);
        }
        // It may have been dropped: the next nonce is for the chain to say.
        next_nonce = null;
        throw new Error(`not in a block after ${confirm_ms} ms`);
      } finally {
        spendings.delete(hash);
      }
    },
  };
}

interface Paid {
  readonly gasUsed: bigint;
  readonly effectiveGasPrice: bigint;
}

/** Rollups name what posting to the main chain cost beside the gas (`l1Fee` of OP stack receipts). */
function costOf(receipt: Paid): bigint {
  const own = receipt.gasUsed * receipt.effectiveGasPrice;
  const l1 = "l1Fee" in receipt ? receipt.l1Fee : undefined;
  if (typeof l1 === "bigint") return own + l1;
  return typeof l1 === "string" && /^0x[0-9a-f]{1,32}$/i.test(l1) ? own + BigInt(l1) : own;
}
