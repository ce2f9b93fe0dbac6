import type { AccessCall } from "../../calls/access.ts";
import { createLRU } from "../../core/lru.ts";
import { createDescriptions } from "./describe-product.ts";
import { createElsewhere, type Elsewhere } from "./elsewhere.ts";
import { createFlights, type Flights } from "./flights.ts";
import { createOwnSignature, type IsSigned } from "./own-signature.ts";
import { createPayerLanes, type PayerLanes } from "./payer-lanes.ts";
import type { GateOptions } from "./types.ts";
import { createUnprovenReplays, type UnprovenReplays } from "./unproven-replays.ts";
import { createVerifiedPayments, type VerifiedPayments } from "./verified-payments.ts";

const PROVEN_PAYERS_MAX = 10_000;

/** What the steps of the gate share: everything one of them keeps between two calls is here. */
export interface GateParts extends GateOptions {
  readonly produce: NonNullable<GateOptions["produce"]>;
  readonly isSigned: IsSigned;
  readonly unproven: UnprovenReplays;
  readonly elsewhere: Elsewhere;
  readonly flights: Flights;
  readonly lanes: PayerLanes;
  readonly verified: VerifiedPayments;
  /**
   * Payers whose key this node saw sign a payment that settled, and whose name nobody abused since: the facilitator's
   * own check is enough for them, and the expensive recovery is kept for strangers. One payment in a payer's name that
   * is refused, or that no facilitator can judge, ends the shortcut.
   */
  readonly proven: ReturnType<typeof createLRU<true>>;
  /** A product as described to facilitators. */
  readonly describe: ReturnType<typeof createDescriptions>;
}

export function createGateParts(options: GateOptions): GateParts {
  const { clock, runner } = options;
  return {
    ...options,
    produce: options.produce ?? (({ product, request }: AccessCall) => runner.produce(product, request)),
    isSigned: createOwnSignature(options),
    unproven: createUnprovenReplays(options),
    elsewhere: createElsewhere(options),
    flights: createFlights(),
    lanes: createPayerLanes({ clock }),
    verified: createVerifiedPayments({ clock }),
    proven: createLRU(PROVEN_PAYERS_MAX),
    describe: createDescriptions(options),
  };
}
