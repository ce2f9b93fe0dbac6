import { NodeError } from "../core/errors.ts";
import { isSameSecret } from "../core/secrets.ts";

/** Whether a request carries the operator's token. */
function isOperator(headers: Headers, operator_token: string): boolean {
  const given = /^Bearer (\S{1,200})$/.exec(headers.get("authorization") ?? "")?.[1] ?? "";
  return isSameSecret(given, operator_token);
}

/** @throws NodeError not_found, so that a stranger does not even learn that there is something here. */
export function assertOperator(headers: Headers, operator_token: string): void {
  if (!isOperator(headers, operator_token)) throw new NodeError("not_found", "Nothing is served under this path.");
}
