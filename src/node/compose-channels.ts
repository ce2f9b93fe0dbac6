import type { Changes } from "../calls/changes.ts";
import type { Config } from "../config/schema.ts";
import { parseDuration } from "../core/duration.ts";
import type { NodeIdentity } from "../core/identity.ts";
import { parseUSD } from "../core/money.ts";
import { once } from "../core/once.ts";
import type { ScheduledJob } from "../jobs/scheduler.ts";
import { createChannelAccess } from "../payments/channels/access.ts";
import { createClaimer } from "../payments/channels/claims.ts";
import { createShortfalls } from "../payments/channels/shortfalls.ts";
import type { ChannelParts } from "../payments/channels/types.ts";
import { createAuthorizer } from "../payments/networks/evm/channel-signing.ts";
import type { ChannelSetup, ComposedChannels, Core, Listener, Money, Prepaid, StartOptions } from "./parts.ts";

/** Withdrawals are noticed within a minute. */
const WATCH_EVERY_MS = 30_000;

/** Null where the operator offers no channels. The libraries of the chain are loaded where he does. */
export async function setUpChannels(
  { payments: { channels } }: Config,
  identity: NodeIdentity,
): Promise<ChannelSetup | null> {
  if (!channels.enabled) return null;
  const own = channels.receiver_authorizer === "own";
  // Channels that were opened on an earlier key of the node are claimed with that.
  const secrets = own ? [identity.deriveSecret("channels"), ...identity.earlierSecrets("channels")] : [];
  const authorizers = once(() => Promise.all(secrets.map(createAuthorizer)));
  const authorizer = (await authorizers())[0]?.address ?? null;
  const withdraw_delay_s = Math.floor(parseDuration(channels.withdraw_delay) / 1000);
  return { terms: { withdraw_delay_s, authorizer }, authorizers };
}

export function composeChannels(
  { config, clock, log }: StartOptions,
  { ledger, runner }: Core,
  parts: {
    readonly money: Money;
    readonly listener: Listener;
    readonly prepaid: Prepaid;
    readonly changes: Changes;
    readonly stranger_slots: Prepaid["slots"];
  },
): ComposedChannels | null {
  const { money, listener, prepaid, stranger_slots, changes } = parts;
  const { channels } = money;
  if (channels === null) return null;
  const { payments } = config;
  const { idle_refund } = payments.channels;
  const shared: ChannelParts = {
    ledger,
    offers: () => money.pool.offers,
    pool: money.facilitators,
    clock,
    limits: {
      unclaimed_max: parseUSD(payments.channels.unclaimed_max),
      unclaimed_all_max: parseUSD(payments.channels.unclaimed_all_max),
      claim_sum: parseUSD(payments.channels.claim_sum),
      claim_every_ms: parseDuration(payments.channels.claim_every),
      idle_refund_ms: idle_refund === "never" ? null : parseDuration(idle_refund),
      idle_refund_least: parseUSD(payments.channels.idle_refund_least),
    },
    authorizers: channels.authorizers,
    rpc_urls: money.rpc_urls,
    shortfalls: createShortfalls(clock),
    log: log.info,
    alarm: log.error,
  };
  const claimer = createClaimer(shared);
  const { limits } = listener;
  const access = createChannelAccess({
    ...shared,
    runner,
    changes,
    purchases: prepaid.purchases,
    labelOf: money.labelOf,
    slots: prepaid.slots,
    stranger_slots,
    work: prepaid.work,
    limitOf: limits.limitOf,
    countFree: (client) => void limits.count(client),
    replay_window_ms: parseDuration(payments.replay_window),
    claimNow: claimer.claimNow,
  });
  const job: ScheduledJob = {
    id: "channels",
    schedule: { every_ms: WATCH_EVERY_MS },
    at_start: true,
    skipping: { runs_kept: 1 },
    one_runner: true,
    run: () => claimer.run(),
  };
  return { access, claimer, job };
}
