import fc from "fast-check";
import { TEST_SEED } from "./seed.ts";

// A failure prints its own seed and path besides: they repeat that one case.
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: TEST_SEED });

/** fast-check with the seed of this run. */
export { fc };
