import type { SurfaceModel } from "../surfaces/types.ts";
import { html } from "./html.ts";
import { renderPage } from "./layout.ts";
import { inLanguage, sayKnown, type Words } from "./words.ts";

/** An error in words for people. */
export interface Problem {
  readonly status: number;
  readonly title: string;
  readonly code: string;
  readonly message: string;
  readonly request_id: string;
  /** Time after which a retry may succeed; null if a retry is useless. */
  readonly retry_after_s: number | null;
}

/** The page that a browser gets for an error: the fault, whether to try again, and links. */
export function renderProblemPage(model: SurfaceModel, problem: Problem, words: Words): string {
  const { say } = words;
  const { status, title, code, message, request_id, retry_after_s } = problem;
  const heading = status === 404 ? say("No such page") : sayKnown(title, words);
  const body = html`<div class="hero"><p class="soft">${status}</p><h1>${heading}</h1>
<p class="lead">${inLanguage(message, words)}</p>
${retry_after_s === null ? "" : html`<p>${say("Try again in {0} s.", Math.ceil(retry_after_s))}</p>`}
<p><a href="/">${say("All products")}</a> · <a href="/docs">${say("Reference")}</a> ·
<a href="/errors#${code}"><code>${code}</code></a></p>
<p class="small soft">${say("Request")} <code>${request_id}</code></p></div>`;
  return renderPage({ model, title: heading, description: message, path: null, body, words });
}
