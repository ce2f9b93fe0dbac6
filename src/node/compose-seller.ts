import type { ScheduledJob } from "../jobs/scheduler.ts";
import { askSeller } from "../payments/seller/ask-seller.ts";
import { createSellerWatch, type SellerWallet, type SellerWatch } from "../payments/seller/seller-watch.ts";
import type { ChainAccess } from "../payments/types.ts";
import type { StartOptions } from "./parts.ts";

/** It looks what is due, which is little; see the watch. */
const LOOK_EVERY_MS = 60_000;

interface SellerParts {
  readonly wallets: readonly SellerWallet[];
  /** RPC endpoints by chain name. */
  readonly rpc_urls: (chain: string) => readonly string[];
  /** Indexers and headers by chain name. */
  readonly access: (chain: string) => ChainAccess;
}

/** Finds out on which networks the configured addresses can be paid at all. */
export function composeSeller(
  { clock, timers, log, sandbox }: Pick<StartOptions, "clock" | "timers" | "log" | "sandbox">,
  { wallets, rpc_urls, access }: SellerParts,
): SellerWatch {
  for (const { network, pay_to } of wallets) sandbox?.world.introduce(network.id, pay_to);
  return createSellerWatch({
    wallets,
    clock,
    timers,
    ask: ({ network, pay_to }) =>
      askSeller({ network, pay_to, rpc_urls: rpc_urls(network.chain), ...access(network.chain) }),
    log: log.info,
    alarm: log.error,
  });
}

export const createSellerJob = (seller: SellerWatch): ScheduledJob => ({
  id: "seller-accounts",
  schedule: { every_ms: LOOK_EVERY_MS },
  at_start: false,
  skipping: { runs_kept: 1 },
  run: seller.pass,
  cancel: seller.cancel,
});
