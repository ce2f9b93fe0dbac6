import { encode } from "uqr";
import { type Html, html } from "./html.ts";

/** Width of the light margin: readers need four modules (ISO/IEC 18004, 5.3.8). */
const QUIET_MODULES = 4;

/** A text as a QR code, black on white in both colour schemes, as readers need it. `title` is for screen readers. */
export function renderQR(text: string, title: string): Html {
  const { data, size } = encode(text, { ecc: "M", border: QUIET_MODULES });
  const path = data.flatMap((row, y) => row.map((is_dark, x) => (is_dark ? `M${x} ${y}h1v1h-1z` : ""))).join("");
  return html`<svg viewBox="0 0 ${size} ${size}" role="img" aria-label="${title}" shape-rendering="crispEdges"><rect
width="${size}" height="${size}" fill="#fff"/><path d="${path}" fill="#000"/></svg>`;
}
