import type { SurfaceModel } from "../surfaces/types.ts";
import { html } from "./html.ts";
import { renderPage } from "./layout.ts";

/** What a browser gets where nothing is served. */
export const renderNotFound = (model: SurfaceModel): string =>
  renderPage({
    model,
    title: "No such page",
    description: "Nothing is served under this address.",
    path: null,
    body: html`<h1>No such page</h1>
<p>Nothing is served under this address.</p>
<p><a href="/">All products</a> · <a href="/docs">Reference</a></p>`,
  });
