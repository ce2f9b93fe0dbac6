import type { SimulatedAnswer, SimulatedWorld } from "../../../catalog/simulator.ts";
import { getSimulatedWallet } from "../simulated-wallets.ts";

const RECEIPTS = /^\/addresses\/(0x[0-9a-fA-F]{40})\/token-transfers$/;
const PATH = /^\/addresses\/(0x[0-9a-fA-F]{40})\/transactions$/;
const PAGE = 50;
const DAY_MS = 86_400_000;

/** An address' transactions: spread over its life, the last one of these days. Undefined for other paths. */
export function answerAddress(
  world: SimulatedWorld,
  { path, query, host }: { readonly path: string; readonly query: URLSearchParams; readonly host: string },
): SimulatedAnswer | undefined {
  const [, address] = PATH.exec(path) ?? [];
  if (address === undefined) return undefined;
  const wallet = getSimulatedWallet(world, address);
  const [first_ms, last_ms] = [wallet.created_at_ms, Math.floor(world.now() / DAY_MS) * DAY_MS - DAY_MS / 2];
  const total = Math.min(PAGE, wallet.nonce);
  const items = Array.from({ length: total }, (_, index) => {
    const draw = world.noise(`tx ${host} ${wallet.address} ${index}`);
    const other = wallet.counterparties[Math.floor(draw ** 2 * wallet.counterparties.length)] ?? wallet.address;
    const is_sent = index % 3 !== 0;
    const part = (n: number) => Math.floor(world.noise(`hash ${host} ${wallet.address} ${index} ${n}`) * 2 ** 32);
    return {
      hash: `0x${[0, 1, 2, 3, 4, 5, 6, 7].map((n) => part(n).toString(16).padStart(8, "0")).join("")}`,
      timestamp: new Date(first_ms + ((last_ms - first_ms) * index) / Math.max(1, total - 1)).toISOString(),
      from: { hash: is_sent ? wallet.address : other },
      to: { hash: is_sent ? other : wallet.address },
      value: String(Math.floor(draw * 1e6) * 1e12),
      status: "ok",
    };
  });
  return { json: { items: query.get("order") === "asc" ? items : items.reverse() } };
}

/** What an address was paid in a token: a few transfers from those it deals with. Undefined for other paths. */
export function answerReceipts(
  world: SimulatedWorld,
  { path, query, host }: { readonly path: string; readonly query: URLSearchParams; readonly host: string },
): SimulatedAnswer | undefined {
  const [, address] = RECEIPTS.exec(path) ?? [];
  if (address === undefined) return undefined;
  const wallet = getSimulatedWallet(world, address);
  const items = Array.from({ length: wallet.nonce % PAGE }, (_, index) => ({
    timestamp: new Date(Math.floor(world.now() / DAY_MS) * DAY_MS - (index + 1) * 7_200_000).toISOString(),
    from: { hash: wallet.counterparties[index % wallet.counterparties.length] ?? wallet.address },
    to: { hash: address },
    token: { address_hash: query.get("token") ?? "", symbol: "USDC", decimals: "6" },
    total: { value: String(10_000 + Math.floor(world.noise(`paid ${host} ${address} ${index}`) * 1e6)), decimals: "6" },
  }));
  return { json: { items } };
}
