const LOOPBACK = /^https?:\/\/(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/;

/**
 * Says whether a browser's origin may call. A page anywhere could otherwise reach a node that listens on its visitor's
 * own machine.
 * @param allowed `*` means all, an empty list for origins on this machine.
 */
export function createOriginRule(allowed: readonly string[]): (origin: string | null) => boolean {
  if (allowed.includes("*")) return () => true;
  const named = new Set(allowed);
  return (origin) => origin === null || (named.size === 0 ? LOOPBACK.test(origin) : named.has(origin));
}
