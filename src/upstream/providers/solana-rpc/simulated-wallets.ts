import type { SimulatedWorld } from "../../../catalog/simulator.ts";
import { getSimulatedHoldings, getSimulatedNative, getSimulatedWallet } from "../simulated-wallets.ts";
import { TOKEN_PROGRAM } from "./mint.ts";

const DAY_MS = 86_400_000;

/** What nodes answer of wallets; undefined for other methods. */
export function answerWallet(
  world: SimulatedWorld,
  { method, params }: { readonly method: string; readonly params: readonly unknown[] },
): unknown {
  const [address, filter] = params;
  if (typeof address !== "string") return undefined;
  const slot = Math.floor(world.now() / 400);
  if (method === "getBalance") {
    return { context: { slot }, value: Math.round(getSimulatedNative(world, "solana", address) * 1e9) };
  }
  if (method === "getTokenAccountsByOwner") {
    const is_classic = JSON.stringify(filter).includes(TOKEN_PROGRAM);
    const held = is_classic ? getSimulatedHoldings(world, "solana", address) : [];
    const value = held.map(({ address: mint, amount, decimals }) => ({
      pubkey: mint,
      account: { data: { parsed: { info: { mint, tokenAmount: { amount: String(amount), decimals } } } } },
    }));
    return { context: { slot }, value };
  }
  if (method !== "getSignaturesForAddress") return undefined;
  const { created_at_ms, nonce } = getSimulatedWallet(world, address);
  const last_ms = Math.floor(world.now() / DAY_MS) * DAY_MS - DAY_MS / 2;
  return Array.from({ length: nonce }, (_, index) => ({
    signature: `simulated${index}`,
    slot: slot - index,
    err: null,
    blockTime: Math.floor((last_ms - ((last_ms - created_at_ms) * index) / Math.max(1, nonce - 1)) / 1000),
  }));
}
