/** Who is served first when the node is busy. Number in the ledger, word on every surface. */
export const PRIORITIES = { standard: 1, pro: 2, max: 3, dedicated: 4 } as const;
export type Priority = keyof typeof PRIORITIES;

export const priorityName = (level: number): Priority =>
  (Object.entries(PRIORITIES).find(([, value]) => value === level)?.[0] as Priority | undefined) ?? "standard";
