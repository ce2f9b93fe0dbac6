import type { CopyStore } from "../../src/ledger/copy/copy-store.ts";

/** A store in memory that can be broken: whatever `fault` says of a call is thrown, and nothing is done. */
export interface MemoryStore extends CopyStore {
  readonly objects: Map<string, Uint8Array>;
  fault: ((call: "put" | "get" | "list" | "remove", key: string) => string | null) | null;
  /** Calls that are held until the returned function lets them go. */
  hold(): () => void;
}

export function createMemoryStore(): MemoryStore {
  const objects = new Map<string, Uint8Array>();
  let held: Promise<void> | null = null;
  const begin = async (call: "put" | "get" | "list" | "remove", key: string) => {
    await held;
    const why = store.fault?.(call, key) ?? null;
    if (why !== null) throw new Error(why);
  };
  const store: MemoryStore = {
    objects,
    fault: null,
    hold() {
      const gate = Promise.withResolvers<void>();
      held = gate.promise;
      return () => {
        held = null;
        gate.resolve();
      };
    },
    async put(key, bytes) {
      await begin("put", key);
      objects.set(key, Uint8Array.from(bytes));
    },
    async get(key) {
      await begin("get", key);
      const found = objects.get(key);
      if (found === undefined) throw new Error(`${key} is not there`);
      return found;
    },
    async list() {
      await begin("list", "");
      return [...objects.keys()];
    },
    async remove(key) {
      await begin("remove", key);
      objects.delete(key);
    },
  };
  return store;
}
