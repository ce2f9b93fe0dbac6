/** Resolves when the client hangs up, or after `ms_max` ms. */
export const waitForHangUp = (signal: AbortSignal, ms_max: number): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(resolve, ms_max);
    timer.unref();
    const leave = () => {
      clearTimeout(timer);
      resolve();
    };
    return signal.addEventListener("abort", leave, { once: true });
  });
