import type { PaymentBooks, Payments } from "./payments.ts";

/**
 * Payments whose beginner learns whether to look for an earlier one. What the books said when it began holds until one
 * of the few commands ends, or is under way, that leave a payment open or undelivered: in a process that alone writes
 * the books all of them come by here, and other engines say nothing when one begins.
 */
export function watchEarlier(books: PaymentBooks): Payments {
  let running = 0;
  let ended = 0;
  const watch = async <T>(work: Promise<T>): Promise<T> => {
    running += 1;
    try {
      return await work;
    } finally {
      running -= 1;
      ended += 1;
    }
  };
  return {
    ...books,
    async begin(payment, more) {
      const before = ended;
      const begun = await books.begin(payment, more);
      if (!begun.started) return begun;
      const mayHaveEarlier = () => begun.has_earlier !== false || running > 0 || ended !== before;
      return { ...begun, mayHaveEarlier };
    },
    async settle(id, settled) {
      if (!settled.delivered) return watch(books.settle(id, settled));
      const booked = await books.settle(id, settled);
      if (booked === null) ended += 1;
      return booked;
    },
    markUnknown: (...args) => watch(books.markUnknown(...args)),
    markUndelivered: (...args) => watch(books.markUndelivered(...args)),
    wake: (...args) => watch(books.wake(...args)),
    recover: () => watch(books.recover()),
  };
}
