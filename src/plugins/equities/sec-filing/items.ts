import { getOwn } from "intel-node";

/** Titles (Form 8-K, General Instructions) and this node's own weights of how much an item moves a share. */
const ITEMS: Readonly<Record<string, readonly [title: string, weight: number]>> = {
  "1.01": ["Entry into a material agreement", 60],
  "1.02": ["Termination of a material agreement", 65],
  "1.03": ["Bankruptcy or receivership", 100],
  "1.04": ["Mine safety", 40],
  "1.05": ["Material cybersecurity incident", 85],
  "2.01": ["Completion of an acquisition or disposition", 65],
  "2.02": ["Results of operations", 55],
  "2.03": ["Creation of a direct financial obligation", 50],
  "2.04": ["Event that accelerates an obligation", 75],
  "2.05": ["Costs of exit or disposal", 65],
  "2.06": ["Material impairments", 70],
  "3.01": ["Notice of delisting", 80],
  "3.02": ["Unregistered sale of equity", 50],
  "3.03": ["Change of rights of security holders", 55],
  "4.01": ["Change of auditor", 60],
  "4.02": ["Past financial statements not to be relied on", 95],
  "5.01": ["Change of control", 80],
  "5.02": ["Change of directors or officers", 60],
  "5.03": ["Amendment of charter or bylaws", 20],
  "5.05": ["Waiver of the code of ethics", 30],
  "5.07": ["Votes of security holders", 20],
  "5.08": ["Nominations of shareholder directors", 20],
  "7.01": ["Regulation FD disclosure", 20],
  "8.01": ["Other events", 30],
  "9.01": ["Financial statements and exhibits", 0],
};

/** Weights of whole forms. */
const FORMS: Readonly<Record<string, number>> = {
  "NT 10-K": 70,
  "NT 10-Q": 70,
  "SCHEDULE 13D": 65,
  "SC 13D": 65,
  "SC TO-T": 65,
  "10-K": 40,
  "10-Q": 40,
};

/** Forms that are read, with how many pages of a hundred a busy day can fill. */
export const WATCHED: readonly (readonly [form: string, pages: number])[] = [
  ...([["8-K", 4]] as const),
  ...(["NT 10-K", "NT 10-Q", "SCHEDULE 13D", "SC TO-T", "10-K", "10-Q"] as const).map((form) => [form, 1] as const),
];

export interface ScoredFiling {
  readonly score: number;
  readonly items: readonly { readonly code: string; readonly title: string; readonly weight: number }[];
  readonly factors: readonly { readonly name: string; readonly value: number }[];
}

const [FURTHER_FROM, FURTHER, AMENDED] = [50, 5, -10];

/**
 * Materiality, 0 to 100: the heaviest item or form, 5 more for each further item of 50 or above, 10 less for an
 * amendment. Weights are this node's own judgement.
 */
export function scoreFiling(form: string, codes: readonly string[]): ScoredFiling {
  const items = codes.map((code) => {
    const [title, weight] = getOwn(ITEMS, code) ?? ["Item without a known title", 0];
    return { code, title, weight };
  });
  const base = form.replace(/\/A$/, "");
  const weights = items.map(({ weight }) => weight).sort((a, b) => b - a);
  const heaviest = Math.max(getOwn(FORMS, base) ?? 0, weights[0] ?? 0);
  const further = weights.slice(1).filter((weight) => weight >= FURTHER_FROM).length * FURTHER;
  const amended = form.endsWith("/A") ? AMENDED : 0;
  const factors = [
    { name: "heaviest", value: heaviest },
    { name: "further_items", value: further },
    { name: "amendment", value: amended },
  ].filter(({ value }) => value !== 0);
  return { items, factors, score: Math.max(0, Math.min(100, heaviest + further + amended)) };
}
