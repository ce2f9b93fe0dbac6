import type { ChainView, SandboxChain } from "./chains/types.ts";
import { waitForHangUp } from "./wait-for-hang-up.ts";

/** `lag`: answers with an earlier state of the chain. `blind`: falsely denies every settlement. */
export const CHAIN_FAULTS = ["none", "http500", "http429", "timeout", "garbage", "lag", "blind"] as const;
export type ChainFault = (typeof CHAIN_FAULTS)[number];

export interface ChainFaultSetting {
  readonly fault: ChainFault;
  /** Number of calls that still fail before all is normal again; null = every call. */
  readonly times: number | null;
  /** How far a lagging endpoint is behind. */
  readonly lag_s: number;
}

/** Faults of the endpoints that read the simulated chains. The chains themselves are not affected. */
export interface ChainFaults {
  /** @throws RangeError for a network that is not simulated. */
  set(network: string, setting: ChainFaultSetting): void;
  status(): Readonly<Record<string, ChainFaultSetting>>;
  /** Answers one call, unless a fault prevents it. */
  respond(
    chain: SandboxChain,
    request: Request,
    answer: (view: ChainView | null) => Promise<Response>,
  ): Promise<Response>;
}

const NONE: ChainFaultSetting = { fault: "none", times: null, lag_s: 30 };
/** After this time even a caller who never hangs up is released. */
const HANG_MS_MAX = 30_000;
const nothing = (): boolean => false;

export function createChainFaults(chains: readonly SandboxChain[], now_ms: () => number): ChainFaults {
  const settings = new Map<string, ChainFaultSetting>(chains.map(({ network }) => [network, NONE]));

  const take = (network: string): ChainFaultSetting => {
    const current = settings.get(network) ?? NONE;
    const { times } = current;
    if (times !== null) settings.set(network, times <= 1 ? NONE : { ...current, times: times - 1 });
    return current;
  };

  return {
    set(network, setting) {
      if (!settings.has(network)) throw new RangeError(`network: one of ${[...settings.keys()].join(", ")}`);
      settings.set(network, setting);
    },
    status: () => Object.fromEntries(settings),
    async respond({ network }, request, answer) {
      const { fault, lag_s } = take(network);
      switch (fault) {
        case "http500":
          return new Response("Internal Server Error", { status: 500 });
        case "http429":
          return Response.json({ error: "rate limited" }, { status: 429, headers: { "retry-after": "1" } });
        case "garbage":
          return new Response("<<< not json >>>", { headers: { "content-type": "text/plain" } });
        case "timeout":
          await waitForHangUp(request.signal, HANG_MS_MAX);
          return new Response("late", { status: 504 });
        case "lag": {
          const then_ms = now_ms() - lag_s * 1000;
          return answer({ now_ms: () => then_ms, sees: (at_ms) => at_ms <= then_ms });
        }
        case "blind":
          return answer({ now_ms, sees: nothing });
        case "none":
          return answer(null);
        default:
          return fault satisfies never;
      }
    },
  };
}
