import type { EchoedChallenge } from "../types.ts";

/** What text means inside a quoted string. */
const quote = (text: string): string => text.replaceAll(/["\\]/g, "\\$&");

/** The value of WWW-Authenticate for one challenge. */
export function renderChallengeHeader(challenge: EchoedChallenge): string {
  const { id, realm, method, intent, request, digest, expires, header } = challenge;
  const named = { id, realm, method, intent, request, digest, expires, header };
  const parts = Object.entries(named).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}="${quote(value)}"`],
  );
  return `Payment ${parts.join(", ")}`;
}
