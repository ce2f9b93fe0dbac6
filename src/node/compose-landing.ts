import { systemTimers } from "../core/clock.ts";
import { parseDuration } from "../core/duration.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { createChainReader } from "../payments/landing/chain-reader.ts";
import { createLandingCheck } from "../payments/landing/check-landings.ts";
import { createLandingTrust, keepBelief } from "../payments/landing/landing-trust.ts";
import { withConfirmation } from "../payments/landing/with-confirmation.ts";
import type { Network } from "../payments/networks/table.ts";
import type { ChainAccess } from "../payments/types.ts";
import type { LandingChecks, StartOptions } from "./parts.ts";

/** The sandbox's chain is one process, and so never behind itself. */
const SANDBOX_SECOND_LOOK_MS = 100;

interface LandingParts {
  readonly ledger: Ledger;
  /** Networks with a configured address. */
  readonly networks: readonly Network[];
  /** RPC endpoints by chain name. */
  readonly rpc_urls: (chain: string) => readonly string[];
  /** Indexers and headers by chain name. */
  readonly access: (chain: string) => ChainAccess;
}

/** @throws Error when every settlement has to be seen on a chain that there is no endpoint of. */
export function composeLanding(
  { config, clock, timers, log, sandbox }: StartOptions,
  { ledger: { landings }, networks, rpc_urls, access }: LandingParts,
): LandingChecks {
  const second_look = sandbox ? { second_look_ms: SANDBOX_SECOND_LOOK_MS } : {};
  const chain = createChainReader({ rpc_urls, access, log: log.info, timers, ...second_look });
  const { never_landed_max, never_landed_sample: sample_min, confirm_always } = config.payments;
  for (const { chain: name, title } of networks.filter((network) => !chain.canRead(network))) {
    if (confirm_always) throw new Error(`[payments] confirm_always: ${title} needs [chains.${name}] rpc`);
    log.warn({ event: "settlements_not_checked", network: title, why: `no [chains.${name}] rpc` });
  }
  const now_ms = clock.now;
  const trust = createLandingTrust({ landings, now_ms, never_landed_max, sample_min, confirm_always });
  const settle_timeout_ms = parseDuration(config.payments.settle_timeout);
  const { elapsed_ms } = timers ?? systemTimers;
  const { mustConfirm, forget: onSeen } = keepBelief(trust.mustConfirm, elapsed_ms);
  return {
    chain,
    trust,
    check: createLandingCheck({ landings, clock, chain, onSeen, log: log.info, alarm: log.error }),
    confirm: (pool) => withConfirmation(pool, { chain, mustConfirm, now_ms, timers, settle_timeout_ms, log: log.info }),
  };
}
