import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Every secret the tests use and everything the nodes under test print, so that the one can be searched for in the
 * other when all tests are done. Off unless the runner names a folder.
 */
const FOLDER = process.env.TEST_SECRETS ?? null;
const SECRETS = "secrets.txt";
/** Shorter texts would be found by chance. */
const CHARS_MIN = 12;

const append = (name: string, text: string): void => {
  if (FOLDER === null) return;
  mkdirSync(FOLDER, { recursive: true });
  appendFileSync(join(FOLDER, name), text);
};

/** A key, token or seed that must never be seen in an output. */
export function noteSecret(text: string): void {
  const plain = text.replace(/^0x/, "").trim();
  if (plain.length >= CHARS_MIN) append(SECRETS, `${plain}\n`);
}

/** What a node wrote: its log, its start screen without the line that hands over the operator's token. */
export function noteOutput(name: string, text: string): void {
  append(`${name}-${process.pid}.log`, text);
}

/** Runs of what keys and tokens are made of, long enough to hold one. */
const RUNS = new RegExp(`[\\w-]{${CHARS_MIN},}`, "g");
const IS_RUN = new RegExp(`^[\\w-]{${CHARS_MIN},}$`);

/**
 * Names of outputs with the number of secrets in each; empty when none was seen anywhere. Outputs say the same again
 * and again: what is one run of letters and digits is searched for once in every run that they hold.
 */
export function findSecrets(folder: string): { readonly secrets: number; readonly hits: readonly string[] } {
  const file = join(folder, SECRETS);
  if (!existsSync(file)) return { secrets: 0, hits: [] };
  const secrets = [...new Set(readFileSync(file, "utf8").split("\n").filter(Boolean))];
  const hits = readdirSync(folder)
    .filter((name) => name !== SECRETS)
    .flatMap((name) => {
      const text = readFileSync(join(folder, name), "utf8");
      const runs = [...new Set(text.match(RUNS))].join(" ");
      const seen = secrets.filter((secret) => (IS_RUN.test(secret) ? runs : text).includes(secret)).length;
      return seen > 0 ? [`${name}: ${seen}`] : [];
    });
  return { secrets: secrets.length, hits };
}
