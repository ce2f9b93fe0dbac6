import { escapeInvisible } from "../core/foreign-text.ts";

const isLineBreak = (char: string): boolean => char === "\n";

/**
 * Makes a text safe for a terminal, keeping its line breaks. Commands print strangers' words (labels, peers, receipts,
 * error texts), so every output goes through this function. Line breaks in a stranger's words are escaped earlier,
 * where the words are put into a line (`escapeInvisible`).
 */
export const toTerminal = (text: string): string => escapeInvisible(text, isLineBreak);

/** Writes a text, or a line of JSON, to standard output. */
export const print = (text: string): void => console.log(toTerminal(text));
/** The same to standard error. */
export const printError = (text: string): void => console.error(toTerminal(text));

/** Shows progress on standard error if it is a terminal. */
export const terminalProgress = (): ((done: string) => void) | undefined =>
  process.stderr.isTTY ? (done) => printError(`  ${done}`) : undefined;
