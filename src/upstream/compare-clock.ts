import { median } from "../quant/stats.ts";

/** A clock off by this much makes signed payments look not yet valid, or expired. */
const OFF_MS_MAX = 5_000;
const WARN_MS = 2_000;
const ASKED = 3;
const TIMEOUT_MS = 5_000;

/** The result of comparing this machine's clock with three servers. */
export interface ClockFinding {
  readonly area: "clock";
  /** The servers that sent a date. */
  readonly subject: string;
  readonly level: "ok" | "warn" | "fail" | "skipped";
  readonly says: string;
  /** Advice to the operator. */
  readonly todo?: string;
}

interface Answered {
  readonly host: string;
  /** The server's clock minus ours. */
  readonly offset_ms: number;
}

/** One server's Date header against our clock at the middle of the call; null without a usable one. */
async function readDate(url: string, now: () => number): Promise<Answered | null> {
  try {
    const before_ms = now();
    const { origin, host } = new URL(url);
    const response = await fetch(origin, {
      method: "HEAD",
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const middle_ms = (before_ms + now()) / 2;
    const date_ms = Date.parse(response.headers.get("date") ?? "");
    // The header has whole seconds, cut off, so it is half a second early on average.
    return Number.isNaN(date_ms) ? null : { host, offset_ms: date_ms + 500 - middle_ms };
  } catch {
    return null;
  }
}

/**
 * Compares this machine's clock with the HTTP dates of three servers named by the configuration.
 * @param urls in the order of the requests; servers that send no date are skipped.
 */
export async function compareClock(urls: readonly string[], now: () => number): Promise<ClockFinding> {
  const hosts = [...new Map(urls.filter((url) => URL.canParse(url)).map((url) => [new URL(url).host, url])).values()];
  const answered: Answered[] = [];
  for (const url of hosts) {
    if (answered.length === ASKED) break;
    const answer = await readDate(url, now);
    if (answer) answered.push(answer);
  }
  const base = { area: "clock", subject: answered.map(({ host }) => host).join(", ") || "no server" } as const;
  if (answered.length === 0) {
    const says = "no server of this configuration sent a date";
    return { ...base, level: "skipped", says, todo: "see that the clock is kept: timedatectl" };
  }
  const offset_ms = median(answered.map((one) => one.offset_ms)) ?? 0;
  const side = offset_ms > 0 ? "behind" : "ahead of";
  const off = `${Math.abs(offset_ms / 1000).toFixed(1)} s ${side} ${answered.length} servers`;
  const todo = "set the clock: timedatectl set-ntp true";
  if (Math.abs(offset_ms) > OFF_MS_MAX) return { ...base, level: "fail", says: off, todo };
  if (Math.abs(offset_ms) > WARN_MS) return { ...base, level: "warn", says: off, todo };
  const few = answered.length < ASKED ? `; only ${answered.length} of ${ASKED} servers sent a date` : "";
  return { ...base, level: "ok", says: `within ${WARN_MS / 1000} s of ${answered.length} servers${few}` };
}
