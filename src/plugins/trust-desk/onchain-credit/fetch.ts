import { type FetchContext, outcomeOf } from "intel-node";
import { encodeAddress, fetchViews } from "intel-node/providers/evm-rpc/multicall";
import { evmRpc } from "intel-node/providers/evm-rpc/provider";
import { AAVE_POOLS, ACCOUNT_DATA } from "intel-node/providers/evm-rpc/wallet-views";
import { wantedAddress } from "../addresses/payer-address.ts";
import type { WalletInputs } from "../wallet-scan/compute.ts";
import { fetchWallet } from "../wallet-scan/fetch.ts";
import type { WalletParams } from "../wallet-scan/schema.ts";
import type { CreditFacts } from "./parts.ts";

export interface CreditInputs {
  readonly wallet: WalletInputs;
  readonly health: CreditFacts["health"];
  readonly settled: number | null;
}

const UNITS = 10n ** 18n;

/** The lower health factor of both pools; null when either cannot be read: the unread one could be the worse. */
async function fetchHealth(context: FetchContext, address: string): Promise<CreditFacts["health"]> {
  if (!context.usable(evmRpc)) return null;
  const read = await Promise.all(
    Object.entries(AAVE_POOLS).map(async ([chain, to]) => {
      const views = [{ to, data: ACCOUNT_DATA + encodeAddress(address) }];
      const asked = await outcomeOf(fetchViews(context, { chain, views, ttl_ms: 15_000, age_max_ms: 600_000 }));
      const words = asked.ok ? asked.value.results[0] : null;
      if (words?.length !== 6) return null;
      const [, debt = 0n, , , , health = 0n] = words.map((word) => BigInt(`0x${word}`));
      return debt === 0n ? "none" : Number((health * 10_000n) / UNITS) / 10_000;
    }),
  );
  if (read.includes(null)) return null;
  const factors = read.filter((one) => typeof one === "number");
  return factors.length === 0 ? "none" : Math.min(...factors);
}

/** The wallet as `/wallet-scan` reads it, its loans on Aave, and what it paid this node. */
export async function fetchCredit(context: FetchContext, params: WalletParams): Promise<CreditInputs> {
  const address = wantedAddress(context, params.address);
  const [wallet, health, paid] = await Promise.all([
    fetchWallet(context, params),
    address.kind === "evm" ? fetchHealth(context, address.address) : null,
    outcomeOf(context.node.readPayer(address.address)),
  ]);
  return { wallet, health, settled: paid.ok ? paid.value.count : null };
}
