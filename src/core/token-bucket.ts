import type { Clock } from "./clock.ts";

/**
 * A token bucket: `rate_per_s` tokens flow in, at most `burst` are kept. Plain arithmetic, no timers, so one bucket per
 * IP address costs 40 bytes and asking costs nanoseconds; timer-based libraries cost a promise per request.
 */
export interface TokenBucket {
  /** Takes one token; false when the bucket is empty. */
  take(): boolean;
  /** Takes so many, whether they are there or not: what is missing has to flow in first, at most a whole burst. */
  spend(tokens: number): void;
  /** Puts back a token that was taken for nothing. */
  giveBack(): void;
  /** Whole tokens left. */
  remaining(): number;
  /** Milliseconds until the next token. */
  wait_ms(): number;
}

export function createTokenBucket(options: { rate_per_s: number; burst: number; clock: Clock }): TokenBucket {
  const { rate_per_s, burst, clock } = options;
  let tokens = burst;
  let filled_at = clock.now();
  const fill = () => {
    const now = clock.now();
    // A clock that jumps back must not drain the bucket.
    if (now > filled_at) tokens = Math.min(burst, tokens + ((now - filled_at) / 1000) * rate_per_s);
    filled_at = now;
  };
  return {
    take() {
      fill();
      if (tokens < 1) return false;
      tokens -= 1;
      return true;
    },
    spend(wanted) {
      fill();
      tokens = Math.max(-burst, tokens - wanted);
    },
    giveBack() {
      tokens = Math.min(burst, tokens + 1);
    },
    remaining() {
      fill();
      return Math.floor(tokens);
    },
    wait_ms() {
      fill();
      return tokens >= 1 ? 0 : Math.ceil(((1 - tokens) / rate_per_s) * 1000);
    },
  };
}
