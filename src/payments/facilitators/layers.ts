import type { FacilitatorPool } from "./pool.ts";

/** What docs/architecture.md says of a layer. */
interface PoolLayer {
  readonly id: string;
  /** Below src. */
  readonly file: string;
  readonly does: string;
}

/** The pool itself: the innermost layer. */
const INNERMOST = {
  id: "facilitators",
  file: "payments/facilitators/pool.ts",
  does: "the operator's facilitators in order; the next one only where the first certainly never saw a settlement",
} as const satisfies PoolLayer;

/**
 * The layers around it, from the inside out. What a facilitator refused because of us is no refusal before anybody asks
 * whether it landed, and the outermost one sees what the gate sees.
 */
const AROUND = [
  {
    id: "seller",
    file: "payments/seller/with-seller.ts",
    does: "offers no network on which we cannot be paid, and blames no buyer for it",
  },
  {
    id: "confirmation",
    file: "payments/landing/with-confirmation.ts",
    does: "where a facilitator's word alone is not enough, `settled` is believed once the chain shows it",
  },
  { id: "traces", file: "node/traces.ts", does: "a span for each verify and settle, where traces are on" },
] as const satisfies readonly PoolLayer[];

/** All layers of the pool that the gate asks, from the inside out. */
export const POOL_LAYERS: readonly PoolLayer[] = [INNERMOST, ...AROUND];

type Wrap = (inner: FacilitatorPool) => FacilitatorPool;

/** How each layer is put around the one inside of it. */
export type PoolWraps = Readonly<Record<(typeof AROUND)[number]["id"], Wrap>>;

/** The pool with all its layers, in their order. */
export const layerPool = (pool: FacilitatorPool, wraps: PoolWraps): FacilitatorPool =>
  AROUND.reduce((inner, { id }) => wraps[id](inner), pool);
