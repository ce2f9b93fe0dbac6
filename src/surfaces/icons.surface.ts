import { readFileSync } from "node:fs";
import ico_path from "./icons/favicon.ico" with { type: "file" };
import svg from "./icons/favicon.svg" with { type: "text" };
import png_path from "./icons/icon.png" with { type: "file" };
import { defineSurface, type Rendered } from "./types.ts";

/** The same on every node and at every render: read once, when first asked for. */
function once(content_type: string, read: () => string | Uint8Array): () => Rendered {
  let rendered: Rendered | undefined;
  return () => {
    rendered ??= { content_type, body: read() };
    return rendered;
  };
}

export const surfaces = [
  defineSurface({
    path: "/favicon.ico",
    summary: "Icon, 32 by 32",
    content_type: "image/x-icon",
    render: once("image/x-icon", () => readFileSync(ico_path)),
  }),
  defineSurface({
    path: "/favicon.svg",
    summary: "Icon, any size",
    content_type: "image/svg+xml",
    render: once("image/svg+xml", () => svg),
  }),
  defineSurface({
    path: "/icon.png",
    summary: "Icon, 192 by 192",
    content_type: "image/png",
    render: once("image/png", () => readFileSync(png_path)),
  }),
];
