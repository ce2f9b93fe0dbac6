/** The part of viem that tells its errors apart; the library itself is loaded lazily. */
type Viem = typeof import("./viem.ts");

/** Whether the chain answered, and the answer was that the call fails. */
export function isRevert({ BaseError, ...viem }: Viem, error: unknown): boolean {
  if (!(error instanceof BaseError)) return false;
  const found = error.walk(
    (cause) =>
      cause instanceof viem.ContractFunctionRevertedError ||
      cause instanceof viem.ContractFunctionZeroDataError ||
      cause instanceof viem.ExecutionRevertedError ||
      cause instanceof viem.AbiDecodingZeroDataError,
  );
  return found !== null;
}

/** The error in one line: viem writes the endpoint's address, which may hold a key, and the whole request into it. */
export function plainError(error: unknown): Error {
  const short = error instanceof Error && "shortMessage" in error ? String(error.shortMessage) : null;
  const details = error instanceof Error && "details" in error ? String(error.details) : "";
  const text = short ?? (error instanceof Error ? error.message : String(error));
  const whole = details !== "" && !text.includes(details) ? `${text} ${details}` : text;
  return new Error(
    whole
      .replace(/https?:\/\/\S+/g, "(address)")
      .replace(/\s+/g, " ")
      .slice(0, 300),
  );
}

/** What a node says when it certainly did not take a transaction: it is in no pool. */
const NOT_TAKEN = new RegExp(
  "insufficient funds|nonce too low|underpriced|fee cap|max fee per gas less|intrinsic gas|exceeds block gas|" +
    "lower than the current nonce",
  "i",
);

export const isNotTaken = (error: unknown): boolean => NOT_TAKEN.test(plainError(error).message);

/** It was there before, so it is there. */
export const isTakenAlready = (error: unknown): boolean =>
  /already known|already imported/i.test(plainError(error).message);

/** Another nonce would have been taken. */
export const isNonceTrouble = (error: unknown): boolean =>
  /nonce too low|underpriced|lower than the current nonce/i.test(plainError(error).message);
