import { balanceOf, type ChannelRow, unclaimedOf } from "../../ledger/channel-rows.ts";
import type { SettleOutcome } from "../facilitators/types.ts";
import { type Network, networkById } from "../networks/table.ts";
import { CLAIMS_MAX } from "./contract.ts";
import { createIdleRefunds } from "./idle-refunds.ts";
import { createMoves } from "./moves.ts";
import { authorizerOf, configOf, renderClaims } from "./settle-payloads.ts";
import { askChannel } from "./snapshots.ts";
import { channelRequirement } from "./terms.ts";
import type { ChannelParts } from "./types.ts";

/** Channels that are looked at in one round. */
const ROUND_MAX = 1_000;
const WATCHED_MAX = 500;
/** Channels used since are watched on the chain, whatever they have earned. */
const WATCHED_MS = 86_400_000;
/** Channels in a row that cannot be read: then the endpoints are silent, and the others are not asked for. */
const UNREAD_MAX = 3;
const NOTHING_TO_SETTLE = "nothing_to_settle";

/** Where it is settled, and whether this node signed it itself. */
interface Settler {
  readonly network: Network;
  readonly own: boolean;
}

export interface Claimer {
  /** Claims what one channel has earned, now; null is all of them. */
  claimNow(channel: ChannelRow | null): Promise<void>;
  /** One round: finds out what is open, watches withdrawals, claims and sweeps what is due. */
  run(options?: { readonly all?: boolean }): Promise<void>;
  /** Claims that failed in a row, and why the last did; 0 when all is well. */
  readonly failing: () => { readonly times: number; readonly why: string | null };
}

/** Brings what channels have earned to the wallet. */
export function createClaimer(parts: ChannelParts): Claimer {
  const { ledger, pool, clock, limits, shortfalls, log, alarm } = parts;
  const { channels } = ledger;
  const moves = createMoves(parts);
  const refundIdle = createIdleRefunds(parts);
  let failed = { times: 0, why: null as string | null };
  let running: Promise<void> | null = null;
  /** Of the last round that left nothing: a node that was off for long claims first thing. */
  let last_ms = 0;
  let swept_ms = 0;

  /** A clock that was set back must not put claims off. */
  const isLate = (since_ms: number): boolean =>
    clock.now() < since_ms || clock.now() - since_ms >= limits.claim_every_ms;

  const noteFailure = (network: string, why: string) => {
    failed = { times: failed.times + 1, why };
    // Once may be anything; twice the operator has to see.
    const tell = failed.times > 1 ? alarm : log;
    tell({ event: "channel_claim_failed", network, times: failed.times, why });
  };

  const paymentOf = (row: ChannelRow, payload: Readonly<Record<string, unknown>>, { network, own }: Settler) => {
    const { receiver, receiverAuthorizer, withdrawDelay } = configOf(row);
    const terms = { receiver_authorizer: receiverAuthorizer, withdraw_delay_s: withdrawDelay, facilitators: [] };
    const requirement = channelRequirement({ network, pay_to: receiver }, terms, 0n);
    return { payload, requirement, fee_payer: null, authorizer: own ? undefined : receiverAuthorizer };
  };

  /** How many of such channels go into one transaction. */
  async function claimsMax([first]: readonly ChannelRow[]): Promise<number> {
    const network = networkById(first?.network ?? "");
    if (!first || !network) return CLAIMS_MAX.least;
    const own = (await authorizerOf(parts, first)) !== null;
    return pool.claimsMax(paymentOf(first, { type: "claim" }, { network, own }));
  }

  /** One transaction for channels of one network, one receiver and one authorizer. */
  async function claim(rows: readonly ChannelRow[]): Promise<void> {
    const [first] = rows;
    const network = networkById(first?.network ?? "");
    if (!first || !network) return;
    const { claims, rows: entries } = renderClaims(rows);
    if (claims.length === 0) return;
    const signer = await authorizerOf(parts, first);
    const signature = signer === null ? {} : { claimAuthorizerSignature: await signer.signClaims(entries, network) };
    const payment = paymentOf(first, { type: "claim", claims, ...signature }, { network, own: signer !== null });
    const { outcome, facilitator } = await pool.settle("", payment);
    log({ event: "channel_claim", network: network.id, channels: claims.length, facilitator, outcome: outcome.kind });
    if (outcome.kind === "settled") return book(entries, network, outcome.transaction);
    if (outcome.kind === "refused" && rows.length > 1) {
      // One that the chain does not take must not hold up the others.
      const middle = Math.ceil(rows.length / 2);
      await claim(rows.slice(0, middle));
      return claim(rows.slice(middle));
    }
    noteFailure(network.id, whyOf(outcome));
  }

  /** Where the chain can be read, what it shows is booked, and not what somebody says. */
  async function book(
    entries: readonly { readonly id: string; readonly total: bigint }[],
    network: Network,
    transaction: string,
  ): Promise<void> {
    const shown: { channel: string; total: bigint }[] = [];
    const readable = parts.rpc_urls(network.chain).length > 0;
    let unread = 0;
    for (const { id, total } of entries) {
      const now = readable && unread < UNREAD_MAX ? await askChannel(parts, network, id) : null;
      unread = now === null ? unread + 1 : 0;
      if (now === null ? !readable : now.total_claimed >= total) shown.push({ channel: id, total });
    }
    if (shown.length > 0) await channels.claimed(shown, transaction);
    if (shown.length === entries.length) failed = { times: 0, why: null };
    else noteFailure(network.id, `${entries.length - shown.length} claims are not on the chain`);
  }

  /** One transaction brings all claimed money of a receiver to its wallet. */
  async function sweep(row: ChannelRow, unswept: bigint, is_only: boolean): Promise<void> {
    const network = networkById(row.network);
    if (!network) return;
    const { receiver, token } = configOf(row);
    const payment = paymentOf(row, { type: "settle", receiver, token }, { network, own: true });
    const { outcome, facilitator } = await pool.settle("", payment);
    log({ event: "channel_sweep", network: network.id, facilitator, outcome: outcome.kind });
    if (outcome.kind === "settled") {
      const amount = /^[1-9][0-9]{0,17}$/.test(outcome.amount ?? "") ? BigInt(outcome.amount ?? "") : unswept;
      await channels.swept(network.id, amount, outcome.transaction);
    } else if (outcome.kind === "refused" && outcome.reason.includes(NOTHING_TO_SETTLE)) {
      // Anybody may do it, and somebody did: all that was claimed is in the wallet.
      if (is_only) await channels.swept(network.id, unswept, "by other hands");
    } else noteFailure(network.id, whyOf(outcome));
  }

  /** What was claimed, by rounds of ours or with a refund, comes to the wallet. */
  async function sweepAll(all: boolean): Promise<void> {
    const is_late = isLate(swept_ms);
    for (const { network, unswept } of await channels.totals()) {
      if (unswept === 0n || !(all || is_late || unswept >= limits.claim_sum)) continue;
      const rows = (await channels.watched(0, ROUND_MAX)).filter((row) => row.network === network);
      const receivers = new Map(rows.map((row) => [configOf(row).receiver, row]));
      for (const row of receivers.values()) await sweep(row, unswept, receivers.size === 1);
      swept_ms = clock.now();
    }
  }

  /** What the chain says of channels: withdrawals above all. */
  async function watch(): Promise<void> {
    let unread = 0;
    for (const seen of await channels.watched(clock.now() - WATCHED_MS, WATCHED_MAX)) {
      const network = networkById(seen.network);
      if (!network || seen.open_move !== null) continue;
      const now = await askChannel(parts, network, seen.id);
      unread = now === null ? unread + 1 : 0;
      // A silent endpoint is waited for each time: claims of this round must not wait for all of them.
      if (unread >= UNREAD_MAX) return;
      if (now === null) continue;
      // What was put in or given back while the chain was asked is not in its answer: the next round asks again.
      const row = await channels.get(seen.id);
      if (row === null || row.open_move !== null || balanceOf(row) !== balanceOf(seen)) continue;
      const less = now.balance < balanceOf(row);
      const over_s = row.withdraw_at + configOf(row).withdrawDelay;
      if (less && !(row.withdraw_at > 0 && clock.now() / 1000 >= over_s)) {
        // Neither a refund of ours nor a withdrawal whose time has come: an endpoint that lags, or a deposit undone.
        const { looks, is_gone } = shortfalls.note(row.id, now.balance);
        const told = { channel: row.id, books: `${balanceOf(row)}`, chain: `${now.balance}` };
        const tell = looks === 2 ? alarm : log;
        tell({ event: "channel_holds_less", ...told });
        if (!is_gone) continue;
        alarm({ event: "channel_deposit_undone", ...told, unclaimed: unclaimedOf(row).toString() });
      }
      shortfalls.clear(row.id);
      if (now.withdraw_requested_at > 0 && row.withdraw_at === 0) {
        const unclaimed = unclaimedOf(row).toString();
        alarm({ event: "channel_withdrawal", channel: row.id, payer: row.payer, unclaimed });
      }
      const changed =
        less ||
        now.balance > balanceOf(row) ||
        now.total_claimed > row.claimed ||
        now.withdraw_requested_at !== row.withdraw_at ||
        now.refund_nonce !== row.refund_nonce;
      if (changed) await channels.sync(row.id, now);
    }
  }

  /** What is claimed in this round: all of it when the sum, the age or a withdrawal says so. */
  function isDue(rows: readonly ChannelRow[]): boolean {
    const sum = rows.reduce((total, row) => total + unclaimedOf(row), 0n);
    return rows.some(({ withdraw_at }) => withdraw_at > 0) || sum >= limits.claim_sum || isLate(last_ms);
  }

  async function claimAll(rows: readonly ChannelRow[]): Promise<void> {
    const groups = Map.groupBy(rows, (row) => {
      const { receiver, receiverAuthorizer } = configOf(row);
      return `${row.network} ${receiver} ${receiverAuthorizer}`;
    });
    for (const group of groups.values()) {
      const most = await claimsMax(group);
      for (let at = 0; at < group.length; at += most) await claim(group.slice(at, at + most));
    }
  }

  async function round(all: boolean): Promise<void> {
    await moves.resolveAll();
    await watch();
    const rows = await channels.unclaimed(ROUND_MAX);
    const is_due = rows.length > 0 && (all || isDue(rows));
    if (is_due) await claimAll(rows);
    if (is_due || rows.length === 0) last_ms = clock.now();
    await refundIdle();
    await sweepAll(all || is_due);
  }

  const run = async ({ all = false } = {}): Promise<void> => {
    // A round that is under way goes on alone: two would send the same claims.
    running ??= round(all).finally(() => {
      running = null;
    });
    await running;
  };

  return {
    failing: () => failed,
    run,
    claimNow: (channel) => (channel === null ? run({ all: true }) : claim([channel])),
  };
}

const whyOf = (outcome: Exclude<SettleOutcome, { kind: "settled" }>): string =>
  outcome.kind === "refused" ? outcome.reason : outcome.cause;
