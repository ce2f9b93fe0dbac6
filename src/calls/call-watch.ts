import { NodeError } from "../core/errors.ts";

/** What a call that brought a payment is at: its answer is made, or its money may move. */
export type CallStep = "producing" | "settling";

/** Follows one paid call for the door it came through, which may withdraw it while no money can have moved. */
export interface CallWatch {
  /**
   * Makes the answer; from then on the call can no longer be withdrawn.
   * @throws NodeError when it is withdrawn before: nothing is settled then
   */
  produce<T>(make: () => Promise<T>): Promise<T>;
  /** @returns whether it came in time, if the answer is made for this call at all: what the call ends with tells. */
  withdraw(): boolean;
  readonly is_withdrawn: boolean;
}

/** @param onStep called at the start of each step. */
export function createCallWatch(onStep: (step: CallStep) => void): CallWatch {
  const withdrawn = Promise.withResolvers<never>();
  // Nobody listens to it before the answer is made.
  withdrawn.promise.catch(() => undefined);
  let is_withdrawn = false;
  let is_settling = false;
  return {
    async produce(make) {
      if (is_withdrawn) return withdrawn.promise;
      onStep("producing");
      const made = await Promise.race([withdrawn.promise, make()]);
      // Both may have happened in one turn.
      if (is_withdrawn) return withdrawn.promise;
      is_settling = true;
      onStep("settling");
      return made;
    },
    withdraw() {
      if (is_settling) return false;
      is_withdrawn = true;
      withdrawn.reject(new NodeError("deadline_exceeded", "The call was withdrawn by its buyer. Nothing was charged."));
      return true;
    },
    get is_withdrawn() {
      return is_withdrawn;
    },
  };
}
