import type { PaidAnswer } from "./types.ts";

/** A payment that is being worked on in this process. */
export interface Flight {
  readonly sequence: number;
  readonly replay_key: string;
  readonly payload_hash: string;
  readonly fingerprint: string;
  readonly payer: string;
  readonly answer: Promise<PaidAnswer>;
}

export interface Flights {
  find(replay_key: string): Flight | undefined;
  /** An earlier flight of the same payer for the same request, by another payment. */
  findTwin(flight: Flight): Flight | undefined;
  /** Registers the flight before any waiting, so that the next copy of the payment finds it. */
  start(flight: Omit<Flight, "sequence" | "answer">, work: (flight: Flight) => Promise<PaidAnswer>): Flight;
  readonly size: number;
  /** Resolves when nothing is in flight any more. */
  idle(): Promise<void>;
}

export function createFlights(): Flights {
  const by_key = new Map<string, Flight>();
  let sequence = 0;
  return {
    find: (replay_key) => by_key.get(replay_key),
    findTwin(flight) {
      for (const other of by_key.values()) {
        const same = other.payer === flight.payer && other.fingerprint === flight.fingerprint;
        // Only ever wait for an older one, so that two can never wait for each other.
        if (same && other.sequence < flight.sequence) return other;
      }
      return undefined;
    },
    start(details, work) {
      const answer = Promise.withResolvers<PaidAnswer>();
      const flight: Flight = { ...details, sequence: sequence++, answer: answer.promise };
      by_key.set(flight.replay_key, flight);
      answer.promise.catch(() => undefined);
      work(flight)
        .finally(() => by_key.delete(flight.replay_key))
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
