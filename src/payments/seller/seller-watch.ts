import { type Clock, startTimeLimit, systemTimers, type Timers } from "../../core/clock.ts";
import { familyOf } from "../networks/families.ts";
import { type Network, networkById } from "../networks/table.ts";
import type { SellerRefusal } from "../types.ts";
import type { SellerWord } from "./ask-seller.ts";

export interface SellerWallet {
  readonly network: Network;
  readonly pay_to: string;
}

/** Knows on which networks we cannot be paid at all. */
export interface SellerWatch {
  /** Why a network must not be offered; null when it may. */
  whyNot(network: string): string | null;
  /** Asks the chains of all wallets whose time has come: hourly, and every minute while one says no. Never throws. */
  pass(): Promise<void>;
  /** Whether a facilitator's refusal is our own fault; then the network is out. May ask the chain. Never throws. */
  isOurFault(refusal: SellerRefusal): Promise<boolean>;
  onChange(listener: () => void): void;
  /** Ends what waits for an answer. */
  cancel(): void;
}

export interface SellerWatchOptions {
  readonly wallets: readonly SellerWallet[];
  readonly clock: Clock;
  /** What ends a wait for the chain; the system's timers unless given. */
  readonly timers?: Timers | undefined;
  readonly ask: (wallet: SellerWallet) => Promise<SellerWord>;
  readonly log: (event: Readonly<Record<string, unknown>>) => void;
  /** For what the operator has to see. */
  readonly alarm: (event: Readonly<Record<string, unknown>>) => void;
  /** How long a refused buyer waits for the chain's word. */
  readonly wait_ms?: number;
}

/** Somewhat less than an hour and a minute, so that a job which runs a moment early does not skip a turn. */
const ASK_MS = 3_590_000;
const ASK_AGAIN_MS = 50_000;
/** A "no" that nobody could ask about again for so long keeps a network out no longer. */
const NO_MS_MAX = 3_600_000;
/** Between two looks that refusals ask for: anybody can be refused as often as he likes. */
const REFUSAL_MS = 10_000;
const WAIT_MS = 3_000;

interface Entry {
  readonly wallet: SellerWallet;
  why: string | null;
  /** When `why` was last said. */
  said_ms: number;
  asked_ms: number | null;
  refused_ms: number | null;
  unknown: boolean;
  asking: Promise<SellerWord> | null;
}

export function createSellerWatch(options: SellerWatchOptions): SellerWatch {
  const { clock, timers = systemTimers, ask, log, alarm, wait_ms = WAIT_MS } = options;
  const listeners: (() => void)[] = [];
  const canceled = Promise.withResolvers<void>();
  const entries = new Map(
    options.wallets.map((wallet): [string, Entry] => [
      wallet.network.id,
      { wallet, why: null, said_ms: 0, asked_ms: null, refused_ms: null, unknown: false, asking: null },
    ]),
  );
  /** Since a time, or more than that: a clock that was set back ends every wait. */
  const isOver = (since_ms: number | null, ms: number): boolean => {
    const now = clock.now();
    return since_ms === null || now < since_ms || now - since_ms >= ms;
  };

  function setWhy(entry: Entry, why: string | null): void {
    const before = entry.why;
    entry.why = why;
    entry.said_ms = clock.now();
    if (before === why) return;
    const { network, pay_to } = entry.wallet;
    const event = { network: network.id, pay_to };
    if (why !== null) alarm({ event: "seller_cannot_be_paid", ...event, why });
    else log({ event: "seller_can_be_paid", ...event });
    for (const listener of listeners) listener();
  }

  function hear(entry: Entry, word: SellerWord): void {
    if (word.kind !== "unknown") {
      entry.unknown = false;
      setWhy(entry, word.kind === "no" ? word.why : null);
      return;
    }
    if (!entry.unknown) log({ event: "seller_not_checked", network: entry.wallet.network.id, why: word.why });
    entry.unknown = true;
    if (entry.why !== null && isOver(entry.said_ms, NO_MS_MAX)) setWhy(entry, null);
  }

  /** One question at a time for each wallet; who comes meanwhile gets the same answer. */
  function look(entry: Entry): Promise<SellerWord> {
    entry.asking ??= ask(entry.wallet).then((word) => {
      entry.asking = null;
      entry.asked_ms = clock.now();
      hear(entry, word);
      return word;
    });
    return entry.asking;
  }

  /** Waits for the chain's word, but not for long. */
  async function lookShortly(entry: Entry): Promise<boolean> {
    const limit = startTimeLimit(timers, wait_ms);
    const late = new Promise<void>((resolve) => limit.signal.addEventListener("abort", () => resolve()));
    await Promise.race([look(entry), late, canceled.promise]).finally(limit.end);
    return entry.why !== null;
  }

  return {
    whyNot: (network) => entries.get(network)?.why ?? null,
    async pass() {
      const due = [...entries.values()].filter(({ asked_ms, why }) =>
        isOver(asked_ms, why === null ? ASK_MS : ASK_AGAIN_MS),
      );
      await Promise.race([Promise.all(due.map(look)), canceled.promise]);
    },
    async isOurFault(refusal) {
      const network = networkById(refusal.requirement.network);
      const entry = network && entries.get(network.id);
      if (!network || !entry) return false;
      const blame = familyOf(network).blamesSeller?.(refusal) ?? "no";
      if (blame === "no") return false;
      if (blame === "yes") {
        setWhy(entry, `a facilitator says that the address cannot receive (${refusal.reason})`);
        return true;
      }
      if (entry.asking === null && !isOver(entry.refused_ms, REFUSAL_MS)) return entry.why !== null;
      entry.refused_ms = clock.now();
      return lookShortly(entry);
    },
    onChange: (listener) => listeners.push(listener),
    cancel: () => canceled.resolve(),
  };
}
