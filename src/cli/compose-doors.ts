import type { FreeRoute } from "../http/app.ts";
import type { Sell } from "../http/sales.ts";
import type { SurfaceModel } from "../surfaces/types.ts";
import type { Core, StartOptions } from "./compose-core.ts";
import type { RouteParts } from "./compose-http.ts";

export interface DoorParts extends RouteParts {
  /** The one way to the gate. */
  readonly sell: Sell;
  /** What the documents were last rendered from: another object whenever they were rendered again. */
  readonly model: () => SurfaceModel;
  /** Paths that cost nothing: a door may answer with what they answer. */
  readonly free: readonly FreeRoute[];
}

/** Doors that speak a protocol of their own over the same catalog and the same gate. */
export function composeDoors(_options: StartOptions, _core: Core, _parts: DoorParts): readonly FreeRoute[] {
  const doors: readonly FreeRoute[] = [];
  return doors;
}
