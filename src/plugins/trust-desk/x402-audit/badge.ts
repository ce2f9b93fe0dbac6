import type { AuditClaim } from "./report.ts";

/** A seller's answers can have changed since: an older audit is shown with its age. */
const STALE_MS = 30 * 86_400_000;
const COLOURS: Readonly<Record<AuditClaim["verdict"], string>> = {
  sound: "#1a7f37",
  acceptable: "#4d7a16",
  caution: "#9a6700",
  unsafe: "#b42318",
};
const GREY = "#57606a";
const HOST_CHARS_MAX = 48;

/** A badge's words and colour: verdict and score with the day they were true, never without. */
export function describeBadge(claim: AuditClaim | null, now_ms: number): readonly [text: string, colour: string] {
  if (claim === null) return ["no report of this node", GREY];
  const { verdict, score, audited_at } = claim;
  const day = audited_at.slice(0, 10);
  if (now_ms - Date.parse(audited_at) > STALE_MS) return [`out of date: ${verdict} on ${day}`, GREY];
  return [`${verdict} ${score} on ${day}`, COLOURS[verdict]];
}

/** Verdana 11 px, near enough for a width that holds. */
const widthOf = (text: string): number => Math.ceil(text.length * 7) + 12;
const escapeXML = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`).replace(/[^\x20-\x7e]/g, "?");

/** The host whose badge it is, as it is asked for; the end of a long one, which is what its owner registered. */
function hostOf({ url }: AuditClaim): string {
  const host = URL.canParse(url) ? new URL(url).host : url;
  return host.length > HOST_CHARS_MAX ? `...${host.slice(3 - HOST_CHARS_MAX)}` : host;
}

/** Two fields side by side: whose badge it is, and what was found. The picture's title has the whole address. */
export function drawBadge(claim: AuditClaim | null, now_ms: number): string {
  const [text, colour] = describeBadge(claim, now_ms);
  const label = claim === null ? "x402 audit" : `x402 audit of ${hostOf(claim)}`;
  const [left, right] = [widthOf(label), widthOf(text)];
  const title = claim === null ? text : `${claim.url.slice(0, 200)}: ${text}`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img">` +
    `<title>${escapeXML(title)}</title><path fill="#24292f" d="M0 0h${left}v20H0z"/>` +
    `<path fill="${colour}" d="M${left} 0h${right}v20H${left}z"/>` +
    `<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">` +
    `<text x="${left / 2}" y="14">${escapeXML(label)}</text>` +
    `<text x="${left + right / 2}" y="14">${escapeXML(text)}</text></g></svg>`
  );
}
