import type { Operations } from "../admin/operations.ts";
import type { AdminSession } from "../admin/sessions.ts";
import { sleep, type Timers } from "../core/clock.ts";
import { renderHtml } from "../pages/html.ts";
import { type AdminView, renderLive } from "./admin-views.ts";

/** How often a live page is made again, and after how many times a silent one shows that it lives. */
const LIVE_EVERY_MS = 1_000;
const BEAT_EVERY = 10;

/** The live part of a page, sent whenever it did. Ends with the session, or with its reader. */
export function streamLive(
  operations: Operations,
  view: AdminView,
  { session, timers }: { readonly session: AdminSession; readonly timers: Timers },
): ReadableStream<Uint8Array> {
  const left = new AbortController();
  const over = AbortSignal.any([session.ended, left.signal]);
  const encoder = new TextEncoder();
  const work = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const send = (text: string) => controller.enqueue(encoder.encode(text));
    let last = "";
    for (let beats = 1; !over.aborted; beats += 1) {
      const body = await renderLive(operations, view, session.csrf);
      const text = body === null ? "" : renderHtml(body);
      if (text !== last) send(`event: page\ndata: ${JSON.stringify(text)}\n\n`);
      else if (beats % BEAT_EVERY === 0) send(": still here\n\n");
      last = text;
      // Its end is no error.
      await sleep(timers, LIVE_EVERY_MS, over).catch(() => undefined);
    }
    if (left.signal.aborted) return;
    send("event: ended\ndata: {}\n\n");
    controller.close();
  };
  return new ReadableStream<Uint8Array>({
    start: (controller) => void work(controller).catch((error: unknown) => controller.error(error)),
    cancel: () => left.abort(),
  });
}
