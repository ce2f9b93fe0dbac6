import { createHash, timingSafeEqual } from "node:crypto";
import { NodeError } from "../core/errors.ts";

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/** Whether a request carries the operator's token. Compared by digest, in constant time. */
function isOperator(headers: Headers, operator_token: string): boolean {
  const given = /^Bearer (\S{1,200})$/.exec(headers.get("authorization") ?? "")?.[1] ?? "";
  return timingSafeEqual(digest(given), digest(operator_token));
}

/** @throws NodeError not_found, so that a stranger does not even learn that there is something here. */
export function assertOperator(headers: Headers, operator_token: string): void {
  if (!isOperator(headers, operator_token)) throw new NodeError("not_found", "Nothing is served under this path.");
}
