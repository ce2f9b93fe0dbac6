import { Type } from "@sinclair/typebox";
import { type JobContext, unusable } from "intel-node";
import { FEEDS, type Feed } from "./feeds.ts";
import { feedFamily } from "./provider.ts";

/** The name a robots.txt knows this program by. */
const PRODUCT_TOKEN = "intel-node";
const DAY_MS = 86_400_000;
/** RFC 9309, 2.3.1.3: without a file, anything may be read; where the server fails, nothing. */
const NO_FILE = [400, 401, 403, 404, 410];
const Rules = Type.String({ maxLength: 500_000 });

/** Why a file that was found is not rules: a page, a document, or cut off. Null when it may be rules. */
function findFault(text: string): string | null {
  if (/^\s*[<{[]/.test(text)) return "it is a page or a document";
  const end = text.slice(text.lastIndexOf("\n") + 1).trim();
  return end === "" || /^#|:/.test(end) ? null : "it is cut off";
}

/** What a request to the host of a feed needs: the family's first host has no name. */
export const hostOf = ({ id }: Feed): { readonly host?: string } => (id === FEEDS[0]?.id ? {} : { host: id });

/** Whether a feed may be read by the rules of its host; asked once a day. @throws UpstreamError */
export async function isAllowed(context: Pick<JobContext, "get">, feed: Feed): Promise<boolean> {
  const { default: createRobots } = await import("robots-parser");
  const origin = `https://${feed.host}`;
  return context.get(feedFamily, {
    path: "/robots.txt",
    ...hostOf(feed),
    format: "text",
    statuses: NO_FILE,
    schema: Rules,
    ttl_ms: DAY_MS,
    read(rules, { status }) {
      if (NO_FILE.includes(status)) return true;
      const fault = findFault(rules);
      if (fault !== null) return unusable(fault);
      return createRobots(`${origin}/robots.txt`, rules).isAllowed(`${origin}${feed.path}`, PRODUCT_TOKEN) ?? true;
    },
  });
}
