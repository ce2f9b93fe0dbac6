import { LRUCache } from "lru-cache";
import type { SimulatedWorld } from "../../../catalog/simulator.ts";
import { sha256Hex } from "../../../core/hash.ts";
import { NATIVE } from "../dex-tokens.ts";
import { ISSUER_TOKENS } from "../issuer-tokens.ts";
import { inventAddress } from "./zoo.ts";

const KNOWN = ["0x28c6c06298d514db089934071355e5743bf21d60", "0x71660c4005ba85c37ccec55d0c4493e66fe775d3"];
const PER_BLOCK = 4;
/** Roughly: what a block carries does not change with the price. */
const ETH_USD = 3_000;

export interface SimulatedPayment {
  readonly hash: string;
  readonly from: string;
  readonly to: string | null;
  readonly value: bigint;
  readonly is_ok: boolean;
  readonly block: number;
}

/** Payments by hash: a receipt is asked for right after the block it stands in. */
const told = new LRUCache<string, SimulatedPayment>({ max: 5_000 });

/** What transactions of a block carry: one in four fails, one wraps ether, others are payments, some of exchanges. */
export function listSimulatedPayments(world: SimulatedWorld, chain: "ethereum" | "base", block: number) {
  const wrapper = NATIVE[chain].address;
  return Array.from({ length: PER_BLOCK }, (_, index): SimulatedPayment => {
    const draw = (what: string) => world.noise(`payment ${chain} ${block} ${index} ${what}`);
    const wallet = (what: string) =>
      KNOWN[Math.floor(draw(`known ${what}`) * 8)] ?? inventAddress(chain, `payer ${Math.floor(draw(what) * 300)}`);
    const usd = 10 ** (3 + 4 * draw("usd"));
    const payment: SimulatedPayment = {
      hash: `0x${sha256Hex(`payment ${chain} ${block} ${index}`)}`,
      from: wallet("from"),
      to: index === 2 ? wrapper : draw("made") > 0.97 ? null : wallet("to"),
      value: BigInt(Math.round((usd / ETH_USD) * 1e9)) * 10n ** 9n,
      is_ok: index !== 1,
      block,
    };
    told.set(payment.hash, payment);
    return payment;
  });
}

export const findSimulatedPayment = (hash: unknown): SimulatedPayment | undefined =>
  typeof hash === "string" ? told.get(hash) : undefined;

/** Whether blocks of that chain carry anything. */
export const hasPayments = (chain: string): chain is "ethereum" | "base" =>
  ISSUER_TOKENS.some((token) => token.chain === chain && token.symbol === "WETH");
