/** What is known of a launch's insiders; null is not known. Percent of supply; sold is a share. */
export interface InsiderTerms {
  readonly network_pct: number | null;
  readonly creator_pct: number | null;
  readonly bundle_pct: number | null;
  readonly creator_sold: number | null;
}

export type InsiderLevel = "severe" | "elevated" | "present" | "none_seen" | "unknown";

const LEVELS: readonly (readonly [number, InsiderLevel])[] = [
  [60, "severe"],
  [35, "elevated"],
  [15, "present"],
];

/** 2 x network + 1.5 x creator + 1.5 x bundle + 25 x sold, at most 100 (product file, 5.14). */
export function scoreInsiders({ network_pct, creator_pct, bundle_pct, creator_sold }: InsiderTerms) {
  const terms = [network_pct, creator_pct, bundle_pct, creator_sold];
  const sum = 2 * (network_pct ?? 0) + 1.5 * (creator_pct ?? 0) + 1.5 * (bundle_pct ?? 0) + 25 * (creator_sold ?? 0);
  const insider_score = Math.min(100, sum);
  const score_is_lower_bound = terms.includes(null);
  const level =
    LEVELS.find(([least]) => insider_score >= least)?.[1] ?? (score_is_lower_bound ? "unknown" : "none_seen");
  return { insider_score, level, score_is_lower_bound };
}
