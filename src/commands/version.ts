import manifest from "../../package.json" with { type: "json" };

/** The release this binary was built from. */
export const VERSION: string = manifest.version;

/** Filled in by build.sh; not there when the sources run without it. */
declare const INTEL_NODE_COMMIT: string | undefined;

/** The commit this binary was built from, "+changes" added when files differed from it; "unknown" without git. */
export const COMMIT: string = typeof INTEL_NODE_COMMIT === "string" ? INTEL_NODE_COMMIT : "unknown";
