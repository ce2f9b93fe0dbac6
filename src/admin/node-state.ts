import type { CatalogProduct } from "../catalog/catalog.ts";
import type { WhyWithheld } from "../catalog/why-withheld.ts";
import { NodeError } from "../core/errors.ts";
import type { FacilitatorPool } from "../payments/facilitators/pool.ts";
import type { Log } from "../telemetry/log.ts";
import type { NodeState, NodeStates, OperatedCore } from "./operated-node.ts";

interface NodeStateParts {
  readonly core: Pick<OperatedCore, "ledger" | "catalog" | "stand_ins" | "upstream" | "failing_since" | "clock">;
  readonly money: { readonly pool: FacilitatorPool; readonly wallets: readonly unknown[] };
  /** What a start still waits for. */
  readonly waiting: () => readonly string[];
  /** What else is wrong, in words: with the clock, with facilitators' reports; nothing unless given. */
  readonly notes?: () => readonly string[];
}

const NO_WALLET: WhyWithheld = {
  why: "nothing can be paid: no [wallets.*] pay_to is set",
  for_buyers: "nothing can be paid: this node has no address to be paid at",
};
const NO_FACILITATOR: WhyWithheld = {
  why: "nothing can be paid: no [[facilitators]] entry is set",
  for_buyers: "nothing can be paid: this node has nobody who settles payments",
};
const forBoth = (text: string): WhyWithheld => ({ why: text, for_buyers: text });

/** A provider that was shut off for less may be back at the next call. */
const SHUT_MS_MIN = 60_000;
const RETRY_AFTER_S = 30;

/** The one place that says how the node is doing: every door that tells it asks here. */
export function createNodeStates({ core, money, waiting, notes = () => [] }: NodeStateParts): NodeStates {
  const { ledger, catalog, upstream, failing_since, clock, stand_ins } = core;
  const { pool, wallets } = money;

  const isShut = (provider: string, now_ms: number): boolean => {
    const since_ms = upstream.shutSince(provider);
    return since_ms !== null && now_ms - since_ms >= SHUT_MS_MIN;
  };
  /**
   * Every run has failed for a minute, and a provider it cannot do without is shut off as long: a product that another
   * provider or what was stored still serves goes on being sold.
   */
  const findShut = (product: CatalogProduct): string | null => {
    const since_ms = failing_since.get(product.id);
    if (since_ms === undefined || stand_ins?.isOpen(product)) return null;
    const now_ms = clock.now();
    if (now_ms - since_ms < SHUT_MS_MIN) return null;
    const essential = new Set(product.definition.requires.flat().map(({ id }) => id));
    const shut = [...essential].filter((id) => isShut(id, now_ms));
    return shut.length === 0 ? null : `${shut.join(", ")} ${shut.length === 1 ? "does" : "do"} not answer`;
  };

  const findMoneyFaults = (): readonly WhyWithheld[] => {
    if (wallets.length === 0) return [NO_WALLET];
    const left_out = pool.unavailable().map(({ network, why }) => `${network}: ${why}`);
    const silent = pool.status().filter(({ ok }) => !ok);
    const down = silent.map(({ url, last_error }) => `facilitator ${url}: ${last_error ?? "has not answered yet"}`);
    if (pool.status().length === 0) return [NO_FACILITATOR];
    return [...(pool.offers.length === 0 ? ["nothing can be paid now"] : []), ...left_out, ...down].map(forBoth);
  };

  return {
    read() {
      const { products } = catalog;
      const unavailable = products.flatMap((product) => {
        const why = findShut(product);
        return why === null ? [] : [{ path: product.path, why }];
      });
      const of_money = findMoneyFaults();
      const of_products =
        unavailable.length === 0
          ? []
          : [`${unavailable.length} of ${products.length} products have no source: ${list(unavailable)}`];
      const waits = waiting();
      const reasons = [
        ...(ledger.trouble ? [`ledger: ${ledger.trouble}`] : []),
        ...waits,
        ...of_money,
        ...notes(),
        ...of_products,
      ].map((reason) => (typeof reason === "string" ? forBoth(reason) : reason));
      const nothing_sold = pool.offers.length === 0 || products.length === 0 || unavailable.length === products.length;
      const failing = ledger.trouble !== null || nothing_sold;
      const status = failing ? "failing" : reasons.length > 0 ? "degraded" : "ok";
      const ready = !failing && waits.length === 0 && pool.unavailable().length === 0;
      return {
        status,
        unavailable,
        products: products.length,
        ready,
        reasons: reasons.map(({ for_buyers }) => for_buyers),
        reasons_for_operator: reasons.map(({ why }) => why),
      };
    },
    whyUnavailable(product) {
      const why = findShut(product);
      if (why === null) return null;
      const message = `${product.path} cannot be produced now: ${why}. It comes back by itself.`;
      return new NodeError("upstream_unavailable", message, { retry_after_s: RETRY_AFTER_S });
    },
  };
}

const NAMED_MAX = 5;
function list(unavailable: NodeState["unavailable"]): string {
  const named = unavailable.slice(0, NAMED_MAX).map(({ path, why }) => `${path} (${why})`);
  const more = unavailable.length - named.length;
  return `${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** Tells the operator whenever the state becomes another one. */
export function createStateWatch(read: () => NodeState, log: Pick<Log, "info" | "warn">) {
  let last = "";
  return () => {
    const { status, reasons_for_operator: reasons } = read();
    const now = JSON.stringify([status, reasons]);
    if (now === last) return;
    last = now;
    log[status === "ok" ? "info" : "warn"]({ event: "state", status, reasons });
  };
}
