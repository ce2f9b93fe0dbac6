/** Lets callers that ask for the same key at the same time share one run of the work. */
export interface SingleFlight<T> {
  run(key: string, work: () => Promise<T>): Promise<T>;
  readonly size: number;
}

export function createSingleFlight<T>(): SingleFlight<T> {
  const flights = new Map<string, Promise<T>>();
  return {
    get size() {
      return flights.size;
    },
    run(key, work) {
      const running = flights.get(key);
      if (running) return running;
      const flight = work().finally(() => flights.delete(key));
      flights.set(key, flight);
      return flight;
    },
  };
}
