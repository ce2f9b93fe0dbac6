import { LRUCache } from "lru-cache";
import type { CatalogRoute, FreeContext } from "../catalog/free-route.ts";
import { type Clock, startTimeLimit, type Timers } from "../core/clock.ts";
import { isNodeError, messageOf, NodeError } from "../core/errors.ts";
import { keepFor } from "../core/keep-for.ts";
import type { FreeRoute } from "./free-route.ts";
import { type HTTPCall, pathOf } from "./http-call.ts";
import { createJSONAnswer, createSVGAnswer } from "./json-answer.ts";
import type { Responder } from "./respond.ts";

export interface PluginRouteOptions {
  readonly routes: readonly CatalogRoute[];
  readonly responder: Responder;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly createContext: (signal: AbortSignal) => FreeContext;
  /** Members of every answer that is not somebody else's form. */
  readonly stamp: () => Record<string, unknown>;
  /** Told of faults of a route's own, which nobody else gets to see. */
  readonly onFault: (path: string, error: unknown) => void;
}

const ANSWER_MS_MAX = 5_000;
const ANSWER_CHARS_MAX = 1_000_000;
/** Different questions kept of one route. */
const KEPT_MAX = 200;

/** Free paths of plugins. Each is answered once per question and `ttl`, however often it is asked. */
export function createPluginRoutes(options: PluginRouteOptions): readonly FreeRoute[] {
  return options.routes.map((route) => ({
    path: route.path,
    methods: ["GET"],
    handler: createHandler(route, options),
  }));
}

const svgOf = (answer: object): string => ("svg" in answer && typeof answer.svg === "string" ? answer.svg : "<svg/>");

/** The query of a call, with the parameter that its path holds. */
function queryOf({ request: { url }, search }: HTTPCall, path_param: string | null): string {
  if (path_param === null) return search;
  const path = pathOf(url);
  const named = `${path_param}=${path.slice(path.lastIndexOf("/") + 1)}`;
  return search === "" ? named : `${search}&${named}`;
}

function createHandler(
  { path, params, definition, ttl_ms, path_param }: CatalogRoute,
  options: PluginRouteOptions,
): FreeRoute["handler"] {
  const cache = `public, max-age=${Math.floor(ttl_ms / 1000)}`;
  const json = createJSONAnswer(options.responder, cache);
  const picture = createSVGAnswer(options.responder, cache);
  const kept = new LRUCache<string, () => Promise<object>>({ max: KEPT_MAX });
  const make = async (asked: Readonly<Record<string, unknown>>): Promise<object> => {
    const limit = startTimeLimit(options.timers, ANSWER_MS_MAX);
    try {
      const answer = definition.answer(options.createContext(limit.signal), asked);
      const late = new Promise<never>((_, reject) => {
        limit.signal.addEventListener("abort", () => reject(new Error(`no answer in ${ANSWER_MS_MAX} ms`)), {
          once: true,
        });
      });
      const value = await Promise.race([answer, late]);
      const whole = definition.is_bare === true ? value : { ...options.stamp(), ...value };
      if (JSON.stringify(whole).length > ANSWER_CHARS_MAX) throw new Error("the answer is too long");
      return whole;
    } catch (error) {
      if (isNodeError(error)) throw error;
      options.onFault(path, error);
      throw new NodeError("product_failed", `${path} failed because of its own fault.`, { cause: messageOf(error) });
    } finally {
      limit.end();
    }
  };
  return async (http_call) => {
    const asked = params.fromQuery(queryOf(http_call, path_param));
    const [missing] = asked.missing;
    if (missing !== undefined) {
      throw new NodeError("invalid_parameter", `Parameter "${missing}" is needed.`, { param: missing });
    }
    const read = kept.get(asked.key) ?? keepFor(ttl_ms, options.clock.now, () => make(asked.params));
    kept.set(asked.key, read);
    const answer = await read();
    return definition.is_svg === true ? picture(http_call, svgOf(answer)) : json(http_call, answer);
  };
}
