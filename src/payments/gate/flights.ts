import type { BuyerNames } from "./buyer-names.ts";
import type { PaidAnswer } from "./types.ts";

/** A payment that is being worked on in this process. */
export interface Flight {
  readonly sequence: number;
  readonly replay_key: string;
  readonly payload_hash: string;
  readonly fingerprint: string;
  readonly payer: string;
  readonly names: BuyerNames;
  /** Whether its buyer wants to pay again for what he may have paid for already. */
  readonly may_repeat: boolean;
  readonly answer: Promise<PaidAnswer>;
  /** Whether this node knows that the payer signed; open until that was looked at. */
  readonly signed: Promise<boolean>;
  /** Whether another payment of its payer was worked on here at the same time. */
  readonly had_company: boolean;
  /** Says so, once. */
  readonly noteSigned: (signed: boolean) => void;
}

export type NewFlight = Omit<Flight, "sequence" | "answer" | "signed" | "noteSigned" | "had_company">;

type OwnFlight = { -readonly [K in keyof Flight]: Flight[K] };

export interface Flights {
  find(replay_key: string): Flight | undefined;
  /** Earlier flights of the same payer by other payments, for the same request or under the same name. */
  listOlder(flight: Flight): readonly Flight[];
  /** Registers the flight before any waiting, so that the next copy of the payment finds it. */
  start(flight: NewFlight, work: (flight: Flight) => Promise<PaidAnswer>): Flight;
  readonly size: number;
  /** Resolves when nothing is in flight any more. */
  idle(): Promise<void>;
}

export function createFlights(): Flights {
  const by_key = new Map<string, OwnFlight>();
  // Flights by payer: a node with many calls at once must not look through all of them.
  const by_payer = new Map<string, Set<OwnFlight>>();
  let sequence = 0;

  const isTwin = (one: Flight, other: Flight): boolean =>
    (one.fingerprint === other.fingerprint && !one.may_repeat) ||
    (one.names.identifier !== null && one.names.identifier === other.names.identifier);

  const add = (flight: OwnFlight) => {
    by_key.set(flight.replay_key, flight);
    const own = by_payer.get(flight.payer) ?? new Set();
    flight.had_company = own.size > 0;
    for (const other of own) other.had_company = true;
    by_payer.set(flight.payer, own.add(flight));
  };
  const remove = (flight: OwnFlight) => {
    by_key.delete(flight.replay_key);
    const own = by_payer.get(flight.payer);
    own?.delete(flight);
    if (own?.size === 0) by_payer.delete(flight.payer);
  };

  return {
    find: (replay_key) => by_key.get(replay_key),
    // Only ever those before it, so that two can never wait for each other.
    listOlder: (flight) =>
      [...(by_payer.get(flight.payer) ?? [])].filter(
        (other) => other.sequence < flight.sequence && isTwin(flight, other),
      ),
    start(details, work) {
      const answer = Promise.withResolvers<PaidAnswer>();
      const signed = Promise.withResolvers<boolean>();
      const known = { signed: signed.promise, noteSigned: signed.resolve };
      const own = { sequence: sequence++, answer: answer.promise, had_company: false, ...known };
      const flight: OwnFlight = { ...details, ...own };
      add(flight);
      answer.promise.catch(() => undefined);
      work(flight)
        .finally(() => {
          signed.resolve(false);
          remove(flight);
        })
        .then(answer.resolve, answer.reject);
      return flight;
    },
    get size() {
      return by_key.size;
    },
    async idle() {
      while (by_key.size > 0) await Promise.allSettled([...by_key.values()].map((flight) => flight.answer));
    },
  };
}
