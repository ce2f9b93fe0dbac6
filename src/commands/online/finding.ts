/** What `check --online` looked at. */
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
 * "warn": it works, and something will not. "skipped": it could not be looked at, which says nothing about it.
 */
export type FindingLevel = "ok" | "warn" | "fail" | "skipped";

/** One line of what a check found. */
export interface CheckFinding {
  readonly area: FindingArea;
  /** Which of them: a host, a network, a provider's id. Never a whole address, which may hold a key. */
  readonly subject: string;
  readonly level: FindingLevel;
  readonly says: string;
  /** What the operator should do; always there for a failure. */
  readonly todo?: string;
}

const AREA_CHARS = 11;
const LINE_CHARS_MAX = 600;

/** What strangers' servers said must not steer the terminal it is read on. */
const printable = (text: string): string => text.replace(/[^\x20-\x7e]/g, "?").slice(0, LINE_CHARS_MAX);

/** One line for people. */
export const renderFinding = ({ area, subject, level, says, todo }: CheckFinding): string =>
  printable(`  ${level.padEnd(7)} ${area.padEnd(AREA_CHARS)} ${subject}: ${says}${todo ? `. Do: ${todo}` : ""}`);

/** The part of an address that may be shown: paths and queries of RPC endpoints hold keys. */
export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : "no address");
