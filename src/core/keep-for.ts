/**
 * Makes a value at most once a period, however often it is asked for: a flood of free calls must not reach the books.
 * Calls that come while it is being made share it. A failure is not kept.
 */
export function keepFor<T>(period_ms: number, now_ms: () => number, make: () => Promise<T>): () => Promise<T> {
  let kept: { readonly value: Promise<T>; readonly at_ms: number } | null = null;
  return () => {
    const at_ms = now_ms();
    if (kept !== null && at_ms >= kept.at_ms && at_ms - kept.at_ms < period_ms) return kept.value;
    const value = make();
    kept = { value, at_ms };
    value.catch(() => {
      if (kept?.value === value) kept = null;
    });
    return value;
  };
}
