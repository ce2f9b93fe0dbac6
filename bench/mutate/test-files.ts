import { Glob } from "bun";

/** Tests of other folders that are about a folder's rules, besides those within it; none that spawns its own nodes. */
const ABOUT: Readonly<Record<string, readonly string[]>> = {
  "src/payments/gate": [
    "test/payments/{gate,gate-steps,identifiers,duplicates,recovery,unproven-replays,unsettled-payments}.test.ts",
    "test/payments/{faulty-payments,hostile-payments,metered,upto,variants,reconcile,lying-facilitator}.test.ts",
    "test/payments/{unpaid-work,disconnects,clock-jumps,pass-at-once,sign-in,signed-offers}.test.ts",
  ],
  "src/ledger": [
    "test/ledger/{audit,backup,channels,corrections,decisions,exact,gifts,migrate,money}.test.ts",
    "test/ledger/{refunds,report,report-channels,stories,thread}.test.ts",
    "test/ledger/decide/*.test.ts",
    "test/ledger/postgres/{decided,together,left,races,channels,move}.test.ts",
    "test/payments/{gate,identifiers,recovery,metered,reconcile}.test.ts",
  ],
};

/** The tests that may notice a change of a folder, by their paths in the tree. */
export function listTests(root: string, folder: string): readonly string[] {
  const patterns = [`${folder}/**/*.test.ts`, ...(ABOUT[folder] ?? [])];
  return [...new Set(patterns.flatMap((pattern) => [...new Glob(pattern).scanSync(root)].sort()))];
}
