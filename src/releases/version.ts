import manifest from "../../package.json" with { type: "json" };

/** The release this binary was built from. */
export const VERSION: string = manifest.version;

/** Filled in by build.sh; not there when the sources run without it. */
declare const INTEL_NODE_COMMIT: string | undefined;

/** The commit this binary was built from, "+changes" added when files differed from it; "unknown" without git. */
export const COMMIT: string = typeof INTEL_NODE_COMMIT === "string" ? INTEL_NODE_COMMIT : "unknown";

/** Filled in by build.sh. */
declare const INTEL_NODE_BUILD: string | undefined;

/** "local", as `./build.sh` makes it, or the target of a release, such as "linux-x64". */
export const BUILD: string = typeof INTEL_NODE_BUILD === "string" ? INTEL_NODE_BUILD : "local";

/** Filled in by build.sh from deploy/release.pub, or from RELEASE_KEY. */
declare const INTEL_NODE_RELEASE_KEY: string | undefined;

/** The minisign public key that releases must be signed with; null where none was built in. */
export const RELEASE_KEY: string | null =
  typeof INTEL_NODE_RELEASE_KEY === "string" && INTEL_NODE_RELEASE_KEY !== "" ? INTEL_NODE_RELEASE_KEY : null;
