import { escapeInvisible } from "../core/foreign-text.ts";

const isLineBreak = (char: string): boolean => char === "\n";

/**
 * A text with lines of our own as a terminal may show it. Commands print words of strangers - labels, peers, receipts,
 * error texts - so nothing reaches the terminal but through here; a stranger's own line breaks are spelled where his
 * word is put into a line (`escapeInvisible`).
 */
export const toTerminal = (text: string): string => escapeInvisible(text, isLineBreak);

/** Writes a text, or a line of JSON, to standard output. */
export const print = (text: string): void => console.log(toTerminal(text));
/** The same to standard error. */
export const printError = (text: string): void => console.error(toTerminal(text));

/** Says on standard error how far something is, where a person sits before it; nothing for programs. */
export const terminalProgress = (): ((done: string) => void) | undefined =>
  process.stderr.isTTY ? (done) => printError(`  ${done}`) : undefined;
