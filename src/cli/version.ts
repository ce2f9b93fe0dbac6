import manifest from "../../package.json" with { type: "json" };

/** The release this binary was built from. */
export const VERSION: string = manifest.version;
