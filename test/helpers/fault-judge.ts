import type { CatalogProduct } from "../../src/catalog/catalog.ts";
import { FAULTS, type ScriptedFault } from "../../src/sandbox/upstreams.ts";
import { createWholeNode, type Outcome, PRODUCTS, produce, shareNodeWithPast } from "./catalog-world.ts";
import { EFFORT } from "./effort.ts";
import type { SimulatedNode } from "./simulated-node.ts";
import { listImproved } from "./verdict-ranks.ts";
import { listLost, listWordless } from "./words-for-null.ts";

/** Within the half hour after a four-hour close, in which signals are made. */
export const FAULTS_START_MS = Date.UTC(2026, 9, 1, 12, 24, 56);
const DAY_MS = 86_400_000;
/** What the sandbox calls stale is eight days old. */
const STALE_DAYS = 7;

/** One of each kind a product can tell apart: not to be had, not what was agreed, too old. */
const KINDS: readonly ScriptedFault[] = ["http500", "wrong_shape", "stale"];

/**
 * The ways an upstream fails that every product is tried with. What the others come to, each reader says once
 * (test/contract/readers.test.ts); a full run tries products with all of them.
 */
export const listFaults = (): readonly ScriptedFault[] =>
  (EFFORT === "quick" ? KINDS : FAULTS).filter((fault) => fault !== "none");

/** What products answer while nothing is broken, and who judges what they answer when something is. */
export interface FaultJudge {
  /** A node with everything at hand. */
  readonly whole: SimulatedNode;
  /** Right after its jobs stored what they store. */
  readonly now_ms: number;
  readonly baselines: ReadonlyMap<string, Outcome>;
  /** What is wrong with an outcome; empty when it is an answer that says what it lacks, or a proper refusal. */
  judge(product: CatalogProduct, outcome: Outcome, fault: ScriptedFault): readonly string[];
}

let shared: Promise<FaultJudge> | undefined;
/** The same for all files of this process. */
export function shareFaultJudge(): Promise<FaultJudge> {
  shared ??= createFaultJudge();
  return shared;
}

/** Takes the baselines of every product. */
async function createFaultJudge(): Promise<FaultJudge> {
  const whole = await shareNodeWithPast(FAULTS_START_MS);
  // Jobs take time: what they stored is of just before now.
  const now_ms = whole.clock.now();
  const baselines = new Map<string, Outcome>();
  for (const product of PRODUCTS) {
    baselines.set(product.path, await produce(createWholeNode({ now_ms, stores: whole }), product));
  }
  return {
    whole,
    now_ms,
    baselines,
    judge: (product, outcome, fault) => judge(product, outcome, fault, baselines.get(product.path)),
  };
}

function judge(
  { definition }: CatalogProduct,
  outcome: Outcome,
  fault: ScriptedFault,
  baseline: Outcome | undefined,
): readonly string[] {
  if (!outcome.ok) {
    const { status, code } = outcome.error;
    const is_proper = status === 503 || status === 504;
    return is_proper && !/TypeError|undefined is not|RangeError/.test(String(outcome.error.cause))
      ? []
      : [`${status} ${code}: ${outcome.error.message} ${outcome.error.cause}`];
  }
  const { data, warnings, as_of } = outcome.sold;
  const faults: string[] = [];
  const lost = baseline?.ok ? listLost({ data, warnings, whole: baseline.sold.data }, definition.data) : [];
  const wordless = [...lost, ...listWordless(data, definition.data, warnings)];
  for (const path of new Set(wordless)) faults.push(`${path} is null without a word`);
  if (baseline?.ok) faults.push(...listImproved(data, baseline.sold.data).map((text) => `improved: ${text}`));
  if (fault === "stale" && baseline?.ok) {
    const lag_days = (Date.parse(baseline.sold.as_of) - Date.parse(as_of)) / DAY_MS;
    if (lag_days >= STALE_DAYS) faults.push(`as_of ${as_of} is old data sold as new`);
  }
  return faults;
}

/** Those of the products it asks for are among them. */
export const providersOf = ({ providers }: CatalogProduct): readonly string[] => providers.map(({ id }) => id);
