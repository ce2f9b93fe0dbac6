import type { SpendTogether } from "../core/shared-budget.ts";

/** What a node sells and who it is, by name: nodes behind one address have to agree on each. */
export type ClusterNodeFacts = Readonly<Record<string, string>>;

/** Several nodes that sell at once on one ledger, as one of them sees it. */
export interface Cluster {
  /** This node's, in receipts. */
  readonly name: string;
  /** Whether this node runs what is to run once for all of them, as far as it knows. */
  leads(): boolean;
  /** Resolves when others went on without this node, because it was silent for too long: it has to start anew. */
  readonly lost: Promise<void>;
  /**
   * States what this node sells and who it is.
   * @param must_agree whether it is refused when another node that is there states something else.
   * @returns what differs, such as "node-b: product /price"; nothing when all agree.
   * @throws LedgerOpenError
   */
  state(facts: ClusterNodeFacts, must_agree: boolean): Promise<readonly string[]>;
  readonly spend: SpendTogether;
  /** Forgets budgets whose time has passed. */
  pruneBudgets(): Promise<void>;
}

/** What was ended that a node left behind. */
export interface Recovered {
  readonly abandoned: number;
  readonly unknown: number;
  readonly holds: number;
  readonly coupons: number;
}

const NAMED_MAX = 5;

/** The names under which two nodes state different things. */
export function compareFacts(own: ClusterNodeFacts, other: ClusterNodeFacts): readonly string[] {
  const names = [...new Set([...Object.keys(own), ...Object.keys(other)])].sort();
  return names.filter((name) => own[name] !== other[name]);
}

/** For the operator: "node-b: product /price, wallet base and 3 more". */
export function renderDifferences(node: string, names: readonly string[]): string {
  const more = names.length - NAMED_MAX;
  return `${node}: ${names.slice(0, NAMED_MAX).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
