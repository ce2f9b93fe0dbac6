/** Does the work of one holder in the order it came, one piece at a time; that of different holders side by side. */
export interface Serial {
  run<T>(holder: string, work: () => Promise<T>): Promise<T>;
}

export function createSerial(): Serial {
  const last = new Map<string, Promise<unknown>>();
  return {
    run(holder, work) {
      const before = last.get(holder) ?? Promise.resolve();
      // A failure goes to its own caller, and does not hold up the work behind it.
      const mine = before.catch(() => undefined).then(work);
      last.set(holder, mine);
      const leave = (): void => {
        if (last.get(holder) === mine) last.delete(holder);
      };
      mine.then(leave, leave);
      return mine;
    },
  };
}
