import { renderIconICO, renderIconPNG, renderIconSVG } from "./icon-image.ts";
import { defineSurface, type Rendered } from "./types.ts";

/** The same on every node and at every render: drawn once, when first asked for. */
function once(content_type: string, draw: () => string | Uint8Array): () => Rendered {
  let drawn: Rendered | undefined;
  return () => {
    drawn ??= { content_type, body: draw() };
    return drawn;
  };
}

export const surfaces = [
  defineSurface({
    path: "/favicon.ico",
    summary: "Icon, 32 by 32",
    content_type: "image/x-icon",
    render: once("image/x-icon", () => renderIconICO(32)),
  }),
  defineSurface({
    path: "/favicon.svg",
    summary: "Icon, any size",
    content_type: "image/svg+xml",
    render: once("image/svg+xml", renderIconSVG),
  }),
  defineSurface({
    path: "/icon.png",
    summary: "Icon, 192 by 192",
    content_type: "image/png",
    render: once("image/png", () => renderIconPNG(192)),
  }),
];
