/** Workers of one kind that load their code once: what is given back when its work is over takes up the next. */
export interface SpareWorkers {
  /** Starts one ahead of its work. */
  prepare(): void;
  /** The one that waits, else a new one. It keeps the process alive until it is given back. */
  take(): Worker;
  /**
   * Takes one back that has nothing left to do or to say: to load its code again costs a tenth of a second of a core.
   * One waits, and neither holds a file nor keeps the process alive; a second one ends.
   */
  giveBack(worker: Worker): void;
}

export function createSpareWorkers(spawn: () => Worker): SpareWorkers {
  let spare: Worker | null = null;
  const keep = (worker: Worker): void => {
    spare = worker;
    worker.unref();
    const forget = () => {
      if (spare === worker) spare = null;
    };
    worker.addEventListener("close", forget, { once: true });
  };
  return {
    prepare() {
      if (spare === null) keep(spawn());
    },
    take() {
      const taken = spare ?? spawn();
      spare = null;
      taken.ref();
      return taken;
    },
    giveBack(worker) {
      worker.onmessage = null;
      worker.onerror = null;
      if (spare === null) keep(worker);
      else worker.terminate();
    },
  };
}
