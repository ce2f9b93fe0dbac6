import type { ErrorForm, ErrorMeaning } from "../catalog/request.ts";
import type { UpstreamErrorKind } from "../core/errors.ts";
import { findErrorForm, parseErrorBody } from "./read-answer.ts";
import { readBody } from "./read-body.ts";
import { parseRetryAfter } from "./retry.ts";

/** The reason to refuse an answer. */
export interface UpstreamRefusal {
  readonly kind: UpstreamErrorKind;
  readonly reason: string;
  readonly retry_after_ms?: number;
}

/** Longest error body; a longer body is a page for people. */
const ERROR_BYTES_MAX = 16_384;
const EXCERPT_CHARS_MAX = 120;

const KINDS: Readonly<Record<ErrorMeaning, UpstreamErrorKind>> = {
  not_found: "upstream_not_found",
  rate_limited: "upstream_rate_limited",
  auth: "upstream_auth",
  unavailable: "upstream_unavailable",
  bad_response: "upstream_bad_response",
};

/** The meaning of a refused answer. */
export const judgeMeaning = (means: ErrorMeaning, reason: string): UpstreamRefusal => ({ kind: KINDS[means], reason });

/** The meaning of a status of 300 and above by itself. */
function kindOf(status: number): UpstreamErrorKind {
  if (status === 401 || status === 403) return "upstream_auth";
  if (status === 404) return "upstream_not_found";
  if (status === 408) return "upstream_timeout";
  if (status === 429 || status === 418) return "upstream_rate_limited";
  return status < 500 ? "upstream_bad_response" : "upstream_unavailable";
}

/** The beginning of a body that explains an error; empty for a page made for browsers. */
const excerptOf = (text: string): string => {
  const plain = text.trim();
  return plain === "" || plain.startsWith("<") ? "" : `: ${plain.slice(0, EXCERPT_CHARS_MAX)}`;
};

/** The meaning of an answer other than 2xx: by the forms that the caller knows, else by its status. */
export async function judgeError(
  response: Response,
  forms: readonly ErrorForm[] | undefined,
  now_ms: number,
): Promise<UpstreamRefusal> {
  const { status } = response;
  // The status is enough if the body cannot be read.
  const read = await readBody(response, ERROR_BYTES_MAX).catch(() => null);
  const text = read?.ok ? read.text : "";
  const form = text === "" ? undefined : findErrorForm(parseErrorBody(text), status, forms);
  const kind = form ? KINDS[form.means] : kindOf(status);
  const waits = kind === "upstream_rate_limited" || kind === "upstream_unavailable";
  const retry_after_ms = waits ? parseRetryAfter(response.headers.get("retry-after"), now_ms) : undefined;
  const reason = `status ${status}${excerptOf(text)}`;
  return { kind, reason, ...(retry_after_ms === undefined ? {} : { retry_after_ms }) };
}
