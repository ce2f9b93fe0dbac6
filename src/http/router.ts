import { Elysia } from "elysia";

/** Answers a request on one way. @param path of the request, where it is known. */
export type RunRoute = (request: Request, path?: string) => Response | Promise<Response>;

/** A way to an answer that is found by a pattern. */
export interface Pattern {
  /** "ALL" means every method without its own pattern. */
  readonly method: string;
  readonly path: string;
  readonly answer: RunRoute;
}

/** Finds by pattern what answers a request; `missing` answers what none of them fits. */
export function createRouter(patterns: readonly Pattern[], missing: RunRoute): RunRoute {
  // strictPath: "/fear-greed/" is another path. normalize: nothing of ours may be dropped in silence.
  const app = new Elysia({ name: "intel-node", strictPath: true, normalize: false });
  const fallback: Pattern = { method: "ALL", path: "/*", answer: missing };
  for (const { method, path, answer } of [...patterns, fallback]) {
    app.route(method, path, ({ request }: { request: Request }) => answer(request), { config: {}, parse: "none" });
  }
  app.onError(({ request }) => missing(request));
  app.compile();
  return (request) => app.fetch(request);
}
