import { messageOf } from "../../core/errors.ts";
import { OtsError } from "./operations.ts";
import { readTimestamp, type Timestamp } from "./timestamp.ts";

/** A calendar's answer, or the reason why there is none. */
export type CalendarAnswer = { readonly status: number; readonly body: Uint8Array } | { readonly failed: string };

/** Calls a calendar at a public address, by GET, or by POST with a body. Never throws. */
export type AskCalendar = (url: string, body: Uint8Array | null) => Promise<CalendarAnswer>;

/** Largest answer, as in the reference client. */
export const CALENDAR_BYTES_MAX = 10_000;
const REASON_CHARS_MAX = 200;

export type Asked = { readonly timestamp: Timestamp } | { readonly failed: string };

function read(answer: CalendarAnswer, message: Uint8Array): Asked {
  if ("failed" in answer) return { failed: answer.failed.slice(0, REASON_CHARS_MAX) };
  if (answer.status !== 200) return { failed: `it answers ${answer.status}` };
  if (answer.body.length > CALENDAR_BYTES_MAX) return { failed: "its answer is too long" };
  try {
    return { timestamp: readTimestamp(answer.body, message) };
  } catch (error) {
    if (!(error instanceof OtsError)) throw error;
    return { failed: `its answer is no timestamp: ${messageOf(error)}` };
  }
}

const under = (calendar: string, path: string): string => `${calendar.replace(/\/+$/, "")}/${path}`;

/** Submits a digest. A calendar sees only these 32 bytes. */
export const submitDigest = async (ask: AskCalendar, calendar: string, digest: Uint8Array): Promise<Asked> =>
  read(await ask(under(calendar, "digest"), digest), digest);

/** Asks for the attestation of a message that a calendar promised to keep. */
export async function askLater(ask: AskCalendar, calendar: string, message: Uint8Array): Promise<Asked> {
  const path = `timestamp/${Buffer.from(message).toString("hex")}`;
  return read(await ask(under(calendar, path), null), message);
}
