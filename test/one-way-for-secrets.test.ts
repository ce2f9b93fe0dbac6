import { expect, test } from "bun:test";
import { listProjectFiles, readFiles } from "./helpers/source-files.ts";

/** What the node runs: no tests, and nothing that is never in the program. */
const SOURCES = readFiles(
  listProjectFiles().filter(
    (path) => /^src\/(?!tools\/).+\.ts$/.test(path) && !/\.(?:test|gen)\.ts$|quick-starts\//.test(path),
  ),
);
const usersOf = (pattern: RegExp): readonly string[] =>
  [...SOURCES].flatMap(([path, text]) => (pattern.test(text) ? [path.slice("src/".length)] : [])).sort();

test("a named secret of the environment is read in one place, which takes nothing for none", () => {
  expect(usersOf(/process\.env\b/)).toEqual([
    // Variables of the program itself, and the whole environment: the configuration's schema refuses empty secrets.
    "commands/catalog.ts",
    "commands/data-folder.ts",
    "commands/handover/messages.ts",
    "commands/handover/place-giver.ts",
    "commands/handover/successor.ts",
    "commands/load-config-file.ts",
    "commands/verify-release.ts",
    "core/secrets.ts",
    "files/backup-process.ts",
    // Hands it on to core/secrets.ts.
    "files/gas-key.ts",
  ]);
});

test("secrets are compared in one place; the others compare codes of one length that this node signed", () => {
  expect(usersOf(/timingSafeEqual/)).toEqual([
    "core/secrets.ts",
    "payments/coupons/coupon-codes.ts",
    "payments/mpp/binding.ts",
    "payments/sign-in/nonces.ts",
  ]);
});

test("code that makes an HMAC checks its key first", () => {
  expect(usersOf(/createHmac\(/).filter((path) => !usersOf(/assertKeyBytes\(/).includes(path))).toEqual([]);
});

test("a door of the operator's is made in one place", () => {
  expect(usersOf(/assertOperator\(/)).toEqual(["admin/status.ts", "http/operator-door.ts", "http/sandbox-door.ts"]);
  // The pages ask for a session, those of the set-up for its one-time code; what other origins are told of such a
  // door is the operator's, too.
  const marked = [
    "commands/setup/door.ts",
    "http/admin-pages.ts",
    "http/app.ts",
    "http/operator-door.ts",
    "http/sandbox-door.ts",
  ];
  expect(usersOf(/operator: true as const/)).toEqual(marked);
});

test("code that writes files without writeSecretFile writes no secret", () => {
  expect(usersOf(/\b(?:writeFileSync|writeSync|appendFileSync|Bun\.write|writeFile)\(/)).toEqual([
    // What was told, what a release is, what gas cost and what answers look like; the sandbox's past.
    "alerts/book-file.ts",
    "commands/verify-track-record.ts",
    // Part by part, into a folder and a file that only their owner can open: a node's backup has no room in memory.
    "commands/whole/restore-whole.ts",
    "commands/whole/sealed-file.ts",
    "files/secret-file.ts",
    // Page by page, into a file that only its owner can open.
    "ledger/copy/build-ledger.ts",
    "payments/facilitators/embedded/gas-budget.ts",
    "releases/fetch-release.ts",
    "sandbox/journal.ts",
    "upstream/download.ts",
    "upstream/source-shapes.ts",
  ]);
});
