/** A part of what several nodes together may spend. */
export interface BudgetPart {
  /** Names the budget and its period. */
  readonly name: string;
  /** Below zero gives back. */
  readonly amount: number;
  readonly limit: number;
  /** When it may be forgotten, ms. */
  readonly until_ms: number;
}

export interface BudgetAnswer {
  /** The first that does not suffice: then nothing was taken. */
  readonly over: string | null;
  /** What each had spent before. */
  readonly spent: readonly { readonly name: string; readonly spent: number }[];
}

/** Takes every part from budgets that other nodes spend from too, or none. @throws NodeError ledger_unavailable */
export type SpendTogether = (parts: readonly BudgetPart[]) => Promise<BudgetAnswer>;
