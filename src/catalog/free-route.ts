import { type Static, type TObject, Type } from "@sinclair/typebox";
import { parseDuration } from "../core/duration.ts";
import { messageOf } from "../core/errors.ts";
import type { SourceContext } from "./context.ts";
import { declare } from "./definition-site.ts";
import type { NodeFacts } from "./node-facts.ts";
import { FLAG, listOptionFaults, MEMBERS, maybe, type OptionRules, text, WORK } from "./option-rules.ts";
import { createParamsParser, type ParamsParser } from "./params.ts";
import type { Locate } from "./path-setting.ts";
import type { ProductPath } from "./product-path.ts";

/** What a free route may read. It asks no upstream: strangers would spend what buyers pay for. */
export interface FreeContext
  extends Pick<
    SourceContext,
    "now_ms" | "history" | "records" | "table" | "dataset" | "signer" | "usable" | "config" | "simulated"
  > {
  readonly node: NodeFacts;
}

/** A path of a plugin that costs nothing and answers a GET: with JSON, unless it draws. */
export interface FreeRouteDefinition<P extends TObject = TObject> {
  /** Its last part may be a parameter, such as "/v1/models/:id". */
  readonly path: ProductPath;
  /** Where it is, if the configuration decides that; `path` is its default. */
  readonly locate?: Locate;
  /** One line for every list of free paths. */
  readonly summary: string;
  /** Query parameters, and the one of the path; none unless given. */
  readonly params?: P;
  /** How long an answer is used again, here and by who asked, such as "1m"; at least a second. */
  readonly ttl: string;
  /** The answer is somebody else's form: without `node_id`, `generated_at` and `sandbox`. */
  readonly is_bare?: boolean;
  /** The answer is a picture: `{ svg }`, sent as it is. The code that draws it escapes every text in it. */
  readonly is_svg?: boolean;
  /** @throws NodeError for what cannot be answered. */
  answer(context: FreeContext, params: Static<P>): Promise<object>;
}

// biome-ignore lint/suspicious/noExplicitAny: the parameters' type is private to one route and erased here on purpose.
export type AnyFreeRoute = FreeRouteDefinition<any>;

const FREE_ROUTE_OPTIONS: OptionRules<FreeRouteDefinition> = {
  path: text("/tide-stations"),
  locate: maybe(WORK),
  summary: text(),
  params: maybe(MEMBERS),
  ttl: text("1m"),
  is_bare: maybe(FLAG),
  is_svg: maybe(FLAG),
  answer: WORK,
};
const SUMMARY_CHARS_MAX = 120;

/** Declares a path that costs nothing. */
export function defineFreeRoute<P extends TObject = TObject>(route: FreeRouteDefinition<P>): FreeRouteDefinition<P> {
  return declare(route);
}

/** A free route with everything that does not change per request worked out. */
export interface CatalogRoute {
  readonly path: ProductPath;
  readonly plugin: string;
  readonly definition: AnyFreeRoute;
  readonly ttl_ms: number;
  readonly params: ParamsParser;
  /** The parameter that is the last part of its path; null without one. */
  readonly path_param: string | null;
}

const PATH_PARAM = /\/:([a-z_]{1,40})$/;

/** A path without the parameter at its end, and that parameter. */
export function splitPath(path: string): { readonly stem: string; readonly path_param: string | null } {
  const path_param = PATH_PARAM.exec(path)?.[1] ?? null;
  return { stem: path_param === null ? path : path.slice(0, path.lastIndexOf("/:")), path_param };
}

/** What is wrong with a route, in words, but for its path. */
export function listRouteFaults(route: AnyFreeRoute): readonly string[] {
  const { all, is_usable } = listOptionFaults([{ given: route, rules: FREE_ROUTE_OPTIONS }]);
  if (!is_usable) return all;
  const { summary, ttl, params } = route;
  const faults = [...all];
  const { path_param } = splitPath(route.path);
  if (path_param !== null && !params?.required?.includes(path_param)) {
    faults.push(`params must hold "${path_param}", which the path names, and need it`);
  }
  if (summary.length > SUMMARY_CHARS_MAX) faults.push(`summary must have 1-${SUMMARY_CHARS_MAX} characters`);
  try {
    if (parseDuration(ttl) < 1_000)
      faults.push("ttl must be at least a second: a flood of free calls is answered once");
  } catch (error) {
    faults.push(`ttl: ${messageOf(error)}`);
  }
  return faults;
}

export function createCatalogRoute(plugin: string, definition: AnyFreeRoute, path: ProductPath): CatalogRoute {
  const params = createParamsParser(definition.params ?? Type.Object({}), undefined, { advice: { path } });
  const { path_param } = splitPath(path);
  return { path, plugin, definition, ttl_ms: parseDuration(definition.ttl), params, path_param };
}
