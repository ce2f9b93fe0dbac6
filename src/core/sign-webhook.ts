import { createHmac, randomBytes } from "node:crypto";
import { assertKeyBytes } from "./secrets.ts";

const PREFIX = "whsec_";
const SECRET_BYTES = 32;

/** A new secret of one receiver, in the form of Standard Webhooks. */
export const newWebhookSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString("base64");

interface Webhook {
  /** Names the message: a receiver that saw it before drops it. */
  readonly id: string;
  readonly now_ms: number;
  readonly body: string;
}

/**
 * Headers by which a receiver knows who sent a message: HMAC-SHA256 over id, time and body, as
 * https://www.standardwebhooks.com has it. Several secrets are several signatures, so that one can be replaced.
 * @throws RangeError for an empty secret: anybody could sign with it.
 */
export function signWebhook(secrets: readonly string[], { id, now_ms, body }: Webhook): Record<string, string> {
  const timestamp = String(Math.floor(now_ms / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(new RegExp(`^${PREFIX}`), ""), "base64");
    assertKeyBytes(key, "a webhook");
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
  });
  if (signatures.length === 0) throw new RangeError("a webhook is signed by at least one secret");
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") };
}
