import { computeBundle } from "../shared/bundle/compute.ts";
import type { BundleInputs } from "../shared/bundle/parts.ts";

/** A bundle and nothing more. */
export const computeAgentComposable = (inputs: BundleInputs) => computeBundle(inputs);
