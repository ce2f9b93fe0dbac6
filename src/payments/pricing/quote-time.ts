/** Seconds a quoted price holds, and so those a buyer has to complete a payment: the same in every requirement. */
export const MAX_TIMEOUT_S = 300;
