import { Type } from "@sinclair/typebox";
import type { FetchContext } from "../../../catalog/context.ts";
import { unusable } from "../../../catalog/unusable.ts";
import { ecb } from "./provider.ts";

const MEETING = /(\d{2})\/(\d{2})\/(\d{4})\s+Governing Council of the ECB: monetary policy meeting[^0-9]*?\(Day 2\)/g;
const TTL_MS = 6 * 3_600_000;

/** Days of monetary policy decisions in the text of the ECB's calendar of meetings, YYYY-MM-DD. */
export function readPolicyMeetings(html: string): readonly string[] {
  const text = html.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
  return [...text.matchAll(MEETING)].map(([, day, month, year]) => `${year}-${month}-${day}`);
}

/** @throws UpstreamError */
export function fetchPolicyMeetings(context: Pick<FetchContext, "get">): Promise<readonly string[]> {
  return context.get(ecb, {
    host: "www",
    path: "/press/calendars/mgcgc/html/index.en.html",
    format: "text",
    schema: Type.String({ minLength: 200 }),
    ttl_ms: TTL_MS,
    read(html) {
      if (!/<\/html>\s*$/i.test(html)) return unusable("the page is cut off");
      const days = readPolicyMeetings(html);
      return days.length > 0 ? days : unusable("no monetary policy meeting");
    },
  });
}
