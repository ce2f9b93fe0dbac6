import type { Handler } from "./http-call.ts";

/** A path that costs nothing. */
export interface FreeRoute {
  readonly path: string;
  readonly methods: readonly ("GET" | "POST" | "DELETE")[];
  readonly handler: Handler;
}
