import { ERRORS } from "../core/errors.ts";
import { defineSurface, json } from "./types.ts";

/** Every error code with its meaning; what the `type` of a problem points at. */
export const surface = defineSurface({
  path: "/errors",
  summary: "Every error code and what it means",
  content_type: "application/json",
  render: ({ sandbox }) =>
    json({
      ...(sandbox ? { sandbox: true } : {}),
      errors: Object.entries(ERRORS).map(([code, row]) => ({ code, ...row })),
    }),
});
