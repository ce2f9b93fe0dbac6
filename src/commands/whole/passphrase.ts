import { readFileSync } from "node:fs";
import { readSecret, readSecretVariable } from "../../core/secrets.ts";

const VARIABLE = "INTEL_NODE_BACKUP_PASSPHRASE";
/** Six words, or as much as a password manager gives. */
const CHARS_MIN = 12;

/**
 * The passphrase of a backup. It is never an argument, which every user of the machine could read.
 * @throws Error without a passphrase.
 */
export function readPassphrase(file: string | undefined): string {
  const found = file === undefined ? readSecretVariable(VARIABLE) : readSecret(readFileSync(file, "utf8"));
  if (found !== null) return found;
  throw new Error(
    file === undefined
      ? `a backup of a whole node needs a passphrase: --passphrase-file FILE, or ${VARIABLE}`
      : `${file} holds no passphrase`,
  );
}

/** @throws Error when a passphrase could be guessed, because the file may be copied anywhere. */
export function assertHardToGuess(passphrase: string): void {
  if ([...passphrase].length >= CHARS_MIN) return;
  throw new Error(`the passphrase has fewer than ${CHARS_MIN} characters: several words are best`);
}
