import { ERRORS } from "../core/errors.ts";

/** Every error code with its meaning; what the `type` of a problem points at. */
export const renderErrors = (): Record<string, unknown> => ({
  errors: Object.entries(ERRORS).map(([code, row]) => ({ code, ...row })),
});
