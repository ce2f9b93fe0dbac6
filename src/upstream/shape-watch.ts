import type { TSchema } from "@sinclair/typebox";
import type { Clock } from "../core/clock.ts";
import { sha256Hex } from "../core/hash.ts";
import { getOwn } from "../core/own.ts";
import { diffShape, type KnownShape, learnShape, readShape, type ShapeDiff } from "./answer-shape.ts";
import { isEndpoint } from "./endpoint.ts";
import { ENDPOINTS } from "./endpoints.gen.ts";
import { decodeOrKeep } from "./redact-url.ts";

/** A good raw JSON answer, with its request. */
export interface SeenAnswer {
  readonly provider: string;
  readonly path: string;
  readonly body: string;
  readonly schema: TSchema;
  readonly value: unknown;
}

/** One kind of request, identified by the schema of its answers, with the known shape of these. */
export interface WatchedShape {
  readonly provider: string;
  /** Endpoint named by the provider's provenance; null without one, because the path may have a buyer's parameters. */
  readonly endpoint: string | null;
  seen_ms: number;
  /** Time since which its answers differ; null while they do not. */
  changed_ms: number | null;
  readonly known: KnownShape;
}

export interface SourceChange extends ShapeDiff {
  readonly provider: string;
  readonly endpoint: string | null;
  /** Key of that kind of request, stable over restarts. */
  readonly key: string;
  readonly since_ms: number;
}

export interface ShapeWatch {
  /** Receives every answer; for most of them this only costs a look at the clock. */
  note(answer: SeenAnswer): void;
  changes(): readonly SourceChange[];
}

export interface ShapeWatchParts {
  readonly clock: Clock;
  /** The state stored when the node ended. */
  readonly watched: Map<string, WatchedShape>;
  /** Called after each inspection; `is_urgent` if a change began or ended. */
  readonly onLook: (is_urgent: boolean) => void;
  /** Runs work when nothing else waits. */
  readonly later: (look: () => void) => void;
}

const HOUR_MS = 3_600_000;
/** After this time the new shape counts as the usual one. */
const ACCEPTED_MS = 7 * 24 * HOUR_MS;
const WATCHED_MAX = 600;

const ASKED_CHARS_MAX = 4_000;
/** Words of a request that may name the requested data: those that are not in the endpoint itself. */
function listWords({ path, body }: SeenAnswer, endpoint: string | null): ReadonlySet<string> {
  const split = (text: string) => text.toLowerCase().split(/[^a-z0-9_-]+/);
  const own = new Set(split(endpoint ?? ""));
  const asked = decodeOrKeep(`${path} ${body}`.slice(0, ASKED_CHARS_MAX));
  return new Set(split(asked).filter((word) => !own.has(word)));
}

/** Records the shapes of answers, for each kind of request once an hour, and never their values. */
export function createShapeWatch({ clock, watched, onLook, later }: ShapeWatchParts): ShapeWatch {
  const names = new WeakMap<TSchema, string>();
  const nameOf = ({ provider, schema }: SeenAnswer): string => {
    const known = names.get(schema);
    if (known !== undefined) return `${provider} ${known}`;
    const name = sha256Hex(JSON.stringify(schema)).slice(0, 12);
    names.set(schema, name);
    return `${provider} ${name}`;
  };

  const look = (own: WatchedShape, answer: SeenAnswer): void => {
    const was = own.changed_ms;
    if (was !== null && clock.now() - was >= ACCEPTED_MS) {
      own.known.clear();
      own.changed_ms = null;
    }
    learnShape(own.known, readShape(answer.value, listWords(answer, own.endpoint)));
    own.changed_ms = diffShape(own.known) ? (own.changed_ms ?? clock.now()) : null;
    onLook((was === null) !== (own.changed_ms === null));
  };

  return {
    note(answer) {
      const now_ms = clock.now();
      const key = nameOf(answer);
      const known = watched.get(key);
      // A clock set back must not stop the watch.
      if (known && Math.abs(now_ms - known.seen_ms) < HOUR_MS) return;
      if (!known && watched.size >= WATCHED_MAX) return;
      const { provider, path, body } = answer;
      const own = known ?? {
        provider,
        endpoint: getOwn(ENDPOINTS, provider)?.find((one) => isEndpoint(one, { path, body })) ?? null,
        seen_ms: now_ms,
        changed_ms: null,
        known: new Map(),
      };
      own.seen_ms = now_ms;
      watched.set(key, own);
      later(() => look(own, answer));
    },
    changes: () =>
      [...watched].flatMap(([key, { provider, endpoint, changed_ms, known }]) => {
        const diff = changed_ms === null ? null : diffShape(known);
        return diff ? [{ key, provider, endpoint, since_ms: changed_ms ?? 0, ...diff }] : [];
      }),
  };
}
