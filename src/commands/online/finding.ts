/** The areas of `check --online`. */
export type FindingArea =
  | "facilitator"
  | "rpc"
  | "wallet"
  | "provider"
  | "clock"
  | "public url"
  | "port"
  | "disk"
  | "backup"
  | "alerts"
  | "recording";

/**
 * "warn": it works now, but will fail in some case. "skipped": it could not be checked, so nothing is known about it.
 */
export type FindingLevel = "ok" | "warn" | "fail" | "skipped";

/** One line of a check's results. */
export interface CheckFinding {
  readonly area: FindingArea;
  /** The checked thing: a host, a network, a provider's id. Never a whole address, which may hold a key. */
  readonly subject: string;
  readonly level: FindingLevel;
  readonly says: string;
  /** Advice to the operator; always present for a failure. */
  readonly todo?: string;
}

const AREA_CHARS = 11;
const LINE_CHARS_MAX = 600;

/** Makes text from strangers' servers harmless for the terminal. */
const printable = (text: string): string => text.replace(/[^\x20-\x7e]/g, "?").slice(0, LINE_CHARS_MAX);

/** One line for people. */
export const renderFinding = ({ area, subject, level, says, todo }: CheckFinding): string =>
  printable(`  ${level.padEnd(7)} ${area.padEnd(AREA_CHARS)} ${subject}: ${says}${todo ? `. Do: ${todo}` : ""}`);

/** The part of an address that may be shown: paths and queries of RPC endpoints hold keys. */
export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : "no address");
