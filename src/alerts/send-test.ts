import { renderTime } from "../core/clock.ts";
import { messageOf } from "../core/errors.ts";
import { newId } from "../core/ids.ts";
import type { AlertChannel } from "./types.ts";

/** What came of a test message on one way. */
export interface SentTest {
  readonly channel: string;
  readonly ok: boolean;
  readonly error: string | null;
}

/** Sends one message by every channel, whatever events it gets otherwise. */
export async function sendTest(channels: readonly AlertChannel[], now_ms: number): Promise<readonly SentTest[]> {
  const title = "a test of your alerts";
  const text = "You asked for it. Nothing is wrong.";
  const sent: SentTest[] = [];
  for (const channel of channels) {
    const message = { event: "test", alerts: [], kind: "told", severity: "info", title, text } as const;
    const at = renderTime(now_ms);
    const failed = await channel
      .send({ ...message, id: newId("alert", now_ms), at }, now_ms)
      .then(() => null, messageOf);
    sent.push({ channel: channel.name, ok: failed === null, error: failed });
  }
  return sent;
}
