import { renderTime } from "../../core/clock.ts";
import type { SurfaceNode } from "../../surfaces/types.ts";
import { renderAtom } from "../atom.ts";
import type { Incident } from "./samples.ts";

export const FEED_PATH = "/status.atom";
const ENTRIES_MAX = 50;

/** Incidents as an Atom feed. Ids are made from the start of an incident, so that none appears twice. */
export function renderIncidentFeed(node: SurfaceNode, incidents: readonly Incident[], since_ms: number): string {
  const entries = incidents.slice(0, ENTRIES_MAX).map(({ state, from_ms, to_ms, reasons }) => {
    const lasted = to_ms === null ? "not known to be over" : `over at ${renderTime(to_ms)}`;
    return {
      anchor: String(from_ms),
      title: state,
      text: `Since ${renderTime(from_ms)}, ${lasted}. ${reasons.join(" ")}`,
      published_ms: from_ms,
      updated_ms: to_ms ?? from_ms,
    };
  });
  return renderAtom(node, { path: FEED_PATH, page: "/status", title: "incidents", since_ms, entries });
}
