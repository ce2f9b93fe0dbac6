import { type Clock, systemTimers, type Timers } from "../../core/clock.ts";
import { messageOf } from "../../core/errors.ts";
import { CLAIMS_MAX, SCHEME } from "../channels/contract.ts";
import { familyOf } from "../networks/families.ts";
import type { Network } from "../networks/table.ts";
import type { ChannelOffer, Offer, UptoOffer } from "../types.ts";
import { UPTO } from "../upto/contract.ts";
import { describeListed } from "./describe-listed.ts";
import {
  addressTo,
  canSettle,
  createMember,
  feePayersOf,
  isSilent,
  isUsedFor,
  kindOf,
  type PoolMember,
  SILENCES_MAX,
  SILENCES_WARNED,
  uptoAddressesOf,
  whyNoKind,
} from "./member.ts";
import type { Facilitator, NetworkNote, PaymentToSettle, SettleOutcome, VerifyOutcome } from "./types.ts";

export interface FacilitatorStatus {
  readonly id: string;
  readonly kind: string;
  readonly url: string;
  readonly ok: boolean;
  readonly networks: readonly string[];
  readonly last_check_ms: number | null;
  readonly last_error: string | null;
  /** What the operator should see to: gas accounts that run low or are empty. */
  readonly warnings: readonly NetworkNote[];
}

/** The operator's facilitators in order, with what each can settle and whether it is alive. */
export interface FacilitatorPool {
  /** Networks that can be paid right now. Changes only when a facilitator comes or goes. */
  readonly offers: readonly Offer[];
  /** Wallets configured but not payable now, each with the reason. */
  unavailable(): readonly { network: string; why: string }[];
  /**
   * For the operator: what the facilitators that are used for a network list instead of it; "" where one of them is
   * away, lists it all the same, or says itself why it does not settle it.
   */
  listedInstead(network: string): string;
  onChange(listener: () => void): void;
  /** Asks the live facilitators of a network in order until one gives a word. */
  verify(network: string, payment: PaymentToSettle): Promise<{ outcome: VerifyOutcome; facilitator: string | null }>;
  /**
   * Settles with the facilitator that verified; goes on to the next only when the first certainly never saw the
   * request.
   */
  settle(first: string, payment: PaymentToSettle): Promise<{ outcome: SettleOutcome; facilitator: string }>;
  /** Channels that one claim may have, by the facilitator that would be asked first to settle it. */
  claimsMax(claim: PaymentToSettle): number;
  status(): readonly FacilitatorStatus[];
  /** Asks every facilitator for its /supported once. */
  refresh(): Promise<void>;
  stop(): void;
}

export interface ChannelTerms {
  readonly withdraw_delay_s: number;
  /** This node's own address that signs claims and refunds; null leaves that to the facilitator. */
  readonly authorizer: string | null;
}

export interface PoolOptions {
  /** On what terms channels are opened; left out where none are. */
  readonly channels?: ChannelTerms | undefined;
  /** Whether less than what was signed may be taken on a network; nowhere unless given. */
  readonly mayTakeLess?: ((network: Network) => boolean) | undefined;
  readonly facilitators: readonly { readonly facilitator: Facilitator; readonly networks: readonly string[] | null }[];
  /** Networks with a pay_to address, in the order they are offered. */
  readonly wallets: readonly {
    readonly network: Network;
    readonly pay_to: string;
    /** Added to the requirements. */
    readonly extra?: Readonly<Record<string, unknown>>;
  }[];
  readonly clock: Clock;
  /** What ends the pauses between looks; the system's timers unless given. */
  readonly timers?: Timers | undefined;
  readonly log: (event: Readonly<Record<string, unknown>>) => void;
  /** Between looks at a live facilitator's /supported, a minute unless given: nobody may buy for hours. */
  readonly refresh_ms?: number;
  /** First pause before a dead one is asked again; doubles up to 30 s. */
  readonly retry_ms?: number;
}

/** The terms of a network's channels; null where nobody takes them, or nobody signs their claims. */
function findChannelOffer(
  members: readonly PoolMember[],
  network: Network,
  terms: ChannelTerms | undefined,
): ChannelOffer | null {
  if (terms === undefined) return null;
  const able = members.flatMap((member) => {
    const kind = member.alive ? kindOf(member, network.id, SCHEME) : undefined;
    return kind ? [{ id: member.facilitator.id, authorizer: kind.extra.receiverAuthorizer }] : [];
  });
  const named = able.map(({ authorizer }) => authorizer).find((one) => typeof one === "string" && ADDRESS.test(one));
  const receiver_authorizer = terms.authorizer ?? (named as string | undefined);
  if (able.length === 0 || receiver_authorizer === undefined) return null;
  const usable = terms.authorizer === null ? able.filter(({ authorizer }) => authorizer === named) : able;
  return {
    receiver_authorizer,
    withdraw_delay_s: terms.withdraw_delay_s,
    facilitators: usable.map(({ id }) => id),
  };
}

/**
 * Who takes less than what was signed; null where nobody does. Facilitators name another account of theirs each time
 * they are asked: one that was named before stays as long as it is theirs, so that offers stay what they are.
 */
function findUptoOffer(members: readonly PoolMember[], network: Network, before?: UptoOffer): UptoOffer | null {
  const able = members.filter((member) => member.alive && kindOf(member, network.id, UPTO));
  const lists = able.map((member) => uptoAddressesOf(member, network)).filter((list) => list.length > 0);
  const [first] = lists;
  const named = first?.[0];
  if (first === undefined || named === undefined) return null;
  const kept = first.find((address) => address === before?.facilitator_address);
  return { facilitator_address: kept ?? named, addresses: [...new Set(lists.flat())].sort() };
}

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const REFRESH_MS = 60_000;
/** Room for a redirect, where it leads, and what to write. */
const ERROR_CHARS_MAX = 300;
const RETRY_MS_MAX = 30_000;
/** Calls without an answer make a facilitator asked for its /supported at most this often. */
const ASK_AGAIN_MS = 5_000;

/** Why a facilitator is asked for its /supported: a look on the clock, or something that speaks against it. */
type CheckReason = "regular" | "asked for";

export function createFacilitatorPool(options: PoolOptions): FacilitatorPool {
  const { clock, timers = systemTimers, log, refresh_ms = REFRESH_MS, retry_ms = 1_000 } = options;
  const listeners: (() => void)[] = [];
  let offers: readonly Offer[] = [];
  let stopped = false;

  const members = options.facilitators.map((entry) => createMember(entry, retry_ms));

  const rebuild = () => {
    const next = options.wallets.flatMap(({ network, pay_to, extra: own }): Offer[] => {
      const able = members.filter((member) => member.alive && kindOf(member, network.id));
      const kind = able[0] ? kindOf(able[0], network.id) : undefined;
      if (!kind) return [];
      const extra = { ...familyOf(network).requirementExtra(network, kind.extra), ...own };
      const spelling = kind.network === network.id ? {} : { advertised_id: kind.network };
      const facilitators = able.map((member) => member.facilitator.id);
      const fee_payers = [...new Set(able.flatMap((member) => feePayersOf(member, network)))];
      const channel = findChannelOffer(members, network, options.channels);
      const before = offers.find((offer) => offer.network.id === network.id)?.upto;
      const upto = options.mayTakeLess?.(network) ? findUptoOffer(members, network, before) : null;
      const more = { ...(channel ? { channel } : {}), ...(upto ? { upto } : {}) };
      return [{ network, pay_to, extra, ...spelling, facilitators, fee_payers, ...more }];
    });
    const changed = JSON.stringify(next) !== JSON.stringify(offers);
    offers = next;
    if (changed) for (const listener of listeners) listener();
  };

  /** The live ones that can settle a payment, in the operator's order; who is silent comes last. */
  const ableTo = (network: string, payment: PaymentToSettle): readonly PoolMember[] =>
    members
      .filter(
        (member) => member.alive && kindOf(member, network, payment.requirement.scheme) && canSettle(member, payment),
      )
      .sort((a, b) => Number(isSilent(a, network)) - Number(isSilent(b, network)));

  /** Why the facilitators that would settle a network cannot. */
  const withheldWhy = (network: string): string | undefined => {
    const alive = members.filter((member) => member.alive);
    const notes = alive.flatMap(({ supported }) => supported.withheld ?? []);
    const withheld = notes.find((note) => note.network === network)?.why;
    return withheld ?? alive.flatMap((member) => whyNoKind(member, network) ?? [])[0];
  };

  const schedule = (member: PoolMember, pause_ms: number) => {
    member.cancelCheck();
    if (!stopped) member.cancelCheck = timers.after(pause_ms, () => void check(member, "regular"));
  };

  const setAlive = (member: PoolMember, alive: boolean, error: string | null) => {
    if (member.alive !== alive) {
      log({ event: alive ? "facilitator_up" : "facilitator_down", facilitator: member.facilitator.id, error });
    }
    member.alive = alive;
    member.last_error = error;
    rebuild();
  };

  /**
   * One regular look that failed may be a hiccup: the second one decides. After a call without an answer, or when
   * somebody wants to know now, the first one does.
   */
  async function check(member: PoolMember, reason: CheckReason = "asked for"): Promise<void> {
    try {
      const supported = await member.facilitator.getSupported();
      // The node has stopped: there is no listener any more.
      if (stopped) return;
      member.supported = supported;
      member.pause_ms = retry_ms;
      member.failed_looks = 0;
      setAlive(member, true, null);
      schedule(member, member.facilitator.refresh_ms ?? refresh_ms);
    } catch (error) {
      if (stopped) return;
      member.failed_looks += 1;
      const is_out = reason === "asked for" || member.failed_looks > 1 || member.silences.size > 0;
      if (is_out || !member.alive) setAlive(member, false, messageOf(error).slice(0, ERROR_CHARS_MAX));
      schedule(member, member.pause_ms);
      member.pause_ms = Math.min(member.pause_ms * 2, RETRY_MS_MAX);
    } finally {
      member.last_check_ms = clock.now();
    }
  }

  /** Those whose /supported is being asked because they were silent. */
  const suspected = new Set<PoolMember>();

  /** A call got no answer: the facilitator's own /supported says at once whether it is there at all. */
  function suspect(member: PoolMember): void {
    const now_ms = timers.elapsed_ms();
    if (!member.alive || suspected.has(member) || now_ms < member.suspected_ms + ASK_AGAIN_MS) return;
    member.suspected_ms = now_ms;
    suspected.add(member);
    void check(member).finally(() => suspected.delete(member));
  }

  /**
   * Notes whether a call on a network got an answer. Silence alone takes nobody out: what a stranger sent may have
   * caused it. The facilitator's own /supported is asked, and that decides.
   */
  function noteAnswer(member: PoolMember, network: string, silence: string | null): void {
    if (silence === null) {
      member.silences.delete(network);
      return;
    }
    const times = (member.silences.get(network) ?? 0) + 1;
    member.silences.set(network, times);
    if (times === 1 || times % SILENCES_MAX === 0) {
      log({ event: "facilitator_silent", facilitator: member.facilitator.id, network, times, error: silence });
    }
    suspect(member);
  }

  const silenceNotes = ({ silences }: PoolMember): readonly NetworkNote[] =>
    [...silences]
      .filter(([, times]) => times >= SILENCES_WARNED)
      .map(([network, times]) => ({ network, why: `its last ${times} calls got no answer` }));

  /** What the facilitators for a network list instead of it; "" where one of them is away, or says itself why not. */
  const listedInstead = (network: string): string => {
    const used = members.filter((member) => isUsedFor(member, network));
    const explains = (member: PoolMember): boolean => kindOf(member, network) !== undefined || !member.alive;
    if (withheldWhy(network) !== undefined || used.some(explains)) return "";
    return used.map(({ facilitator, supported }) => `${facilitator.id}: ${describeListed(supported)}`).join("; ");
  };

  for (const member of members) member.facilitator.onChange?.(() => schedule(member, 0));

  return {
    get offers() {
      return offers;
    },
    unavailable: () =>
      options.wallets
        .filter(({ network }) => !offers.some((offer) => offer.network.id === network.id))
        .map(({ network: { id } }) => ({ network: id, why: withheldWhy(id) ?? "no live facilitator settles it" })),
    listedInstead,
    onChange: (listener) => listeners.push(listener),
    async verify(network, payment) {
      let last: VerifyOutcome = { kind: "unavailable", cause: "no live facilitator" };
      for (const member of ableTo(network, payment)) {
        const outcome = await member.facilitator.verify(addressTo(member, payment));
        if (outcome.kind !== "unavailable") {
          noteAnswer(member, network, null);
          return { outcome, facilitator: member.facilitator.id };
        }
        // An answer that is no word speaks against the facilitator only where the payment cannot have caused it.
        if (outcome.answered !== true || payment.checked === true) noteAnswer(member, network, outcome.cause);
        last = outcome;
      }
      return { outcome: last, facilitator: null };
    },
    async settle(first, payment) {
      const verified = members.filter((member) => member.facilitator.id === first && canSettle(member, payment));
      const others = ableTo(payment.requirement.network, payment).filter((member) => !verified.includes(member));
      let last: SettleOutcome = { kind: "unseen", cause: "no live facilitator" };
      for (const member of [...verified, ...others]) {
        const outcome = await member.facilitator.settle(addressTo(member, payment));
        // An unknown outcome does not count: the next payment has to pass verify first. Whether it is there is asked.
        if (outcome.kind === "unknown") suspect(member);
        if (outcome.kind === "unseen") noteAnswer(member, payment.requirement.network, outcome.cause);
        if (outcome.kind !== "unseen") return { outcome, facilitator: member.facilitator.id };
        last = outcome;
      }
      return { outcome: last, facilitator: first };
    },
    claimsMax: (claim) => ableTo(claim.requirement.network, claim)[0]?.facilitator.claims_max ?? CLAIMS_MAX.least,
    status: () =>
      members.map((member) => ({
        id: member.facilitator.id,
        kind: member.facilitator.kind,
        url: member.facilitator.url,
        ok: member.alive,
        networks: options.wallets.map(({ network }) => network.id).filter((id) => kindOf(member, id) !== undefined),
        last_check_ms: member.last_check_ms,
        last_error: member.last_error,
        warnings: member.alive
          ? [...(member.supported.withheld ?? []), ...(member.supported.warnings ?? []), ...silenceNotes(member)]
          : [],
      })),
    refresh: async () => {
      await Promise.all(members.map((member) => check(member)));
    },
    stop() {
      stopped = true;
      for (const { cancelCheck } of members) cancelCheck();
    },
  };
}
