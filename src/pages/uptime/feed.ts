import { renderTime } from "../../core/clock.ts";
import type { SurfaceNode } from "../../surfaces/types.ts";
import { html, renderHtml } from "../html.ts";
import type { Incident } from "./samples.ts";

export const FEED_PATH = "/status.atom";
const ENTRIES_MAX = 50;

/** Incidents as an Atom feed (RFC 4287). Ids follow from the start of an incident, so that none is told twice. */
export function renderIncidentFeed(node: SurfaceNode, incidents: readonly Incident[], since_ms: number): string {
  const { public_url, name } = node;
  const shown = incidents.slice(0, ENTRIES_MAX);
  const changed = ({ from_ms, to_ms }: Incident) => to_ms ?? from_ms;
  const updated_ms = shown.reduce((latest, one) => Math.max(latest, changed(one)), since_ms);
  const entries = shown.map((one) => {
    const { state, from_ms, to_ms, reasons } = one;
    const lasted = to_ms === null ? "not known to be over" : `over at ${renderTime(to_ms)}`;
    return html`<entry><id>${public_url}/status#${from_ms}</id><title>${name}: ${state}</title>
<updated>${renderTime(changed(one))}</updated><published>${renderTime(from_ms)}</published>
<link rel="alternate" href="${public_url}/status"/>
<content type="text">Since ${renderTime(from_ms)}, ${lasted}. ${reasons.join(" ")}</content></entry>`;
  });
  return `<?xml version="1.0" encoding="utf-8"?>\n${renderHtml(html`<feed xmlns="http://www.w3.org/2005/Atom">
<id>${public_url}${FEED_PATH}</id><title>${name}: incidents</title><updated>${renderTime(updated_ms)}</updated>
<author><name>${name}</name></author><link rel="self" href="${public_url}${FEED_PATH}"/>${entries}</feed>`)}`;
}
