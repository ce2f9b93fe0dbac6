import { GuardError } from "./failure.ts";

type WithSlot = <T>(host: string, signal: AbortSignal, work: () => Promise<T>) => Promise<T>;

/** How many requests one host gets from us at a time: we are nobody's load test. */
const PER_HOST_MAX = 2;

/** Lets a few requests to each host through at a time; the others wait their turn, or until their time is up. */
export function createHostSlots(): WithSlot {
  const hosts = new Map<string, { running: number; readonly waiting: Set<() => void> }>();

  function enter(host: string, signal: AbortSignal): Promise<void> | undefined {
    const slots = hosts.get(host) ?? { running: 0, waiting: new Set() };
    hosts.set(host, slots);
    if (slots.running < PER_HOST_MAX) {
      slots.running++;
      return undefined;
    }
    return new Promise((resolve, reject) => {
      const stop = () => {
        slots.waiting.delete(start);
        reject(new GuardError("time", "it took too long"));
      };
      const start = () => {
        signal.removeEventListener("abort", stop);
        resolve();
      };
      if (signal.aborted) return stop();
      signal.addEventListener("abort", stop, { once: true });
      slots.waiting.add(start);
    });
  }

  function leave(host: string): void {
    const slots = hosts.get(host);
    if (!slots) return;
    const [next] = slots.waiting;
    // The slot is handed on, so nobody who comes now can take it first.
    if (next) {
      slots.waiting.delete(next);
      next();
    } else if (--slots.running === 0) hosts.delete(host);
  }

  return async (host, signal, work) => {
    await enter(host, signal);
    try {
      return await work();
    } finally {
      leave(host);
    }
  };
}
