import { messageOf } from "../../core/errors.ts";
import { OtsError } from "./operations.ts";
import { readTimestamp, type Timestamp } from "./timestamp.ts";

/** What a calendar answered, or why it did not. */
export type CalendarAnswer = { readonly status: number; readonly body: Uint8Array } | { readonly failed: string };

/** Asks a calendar at a public address: GET, or POST where there is a body. Never throws. */
export type AskCalendar = (url: string, body: Uint8Array | null) => Promise<CalendarAnswer>;

/** Of one answer: as much as the reference client reads. */
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

/** Hands a digest in. A calendar sees these 32 bytes and nothing else. */
export const submitDigest = async (ask: AskCalendar, calendar: string, digest: Uint8Array): Promise<Asked> =>
  read(await ask(under(calendar, "digest"), digest), digest);

/** Asks what has become of a message a calendar promised to keep. */
export async function askLater(ask: AskCalendar, calendar: string, message: Uint8Array): Promise<Asked> {
  const path = `timestamp/${Buffer.from(message).toString("hex")}`;
  return read(await ask(under(calendar, path), null), message);
}
