import type { Offering } from "./offering.ts";
import type { ProductPath } from "./product-path.ts";

/** What a path may depend on. */
export interface PathSettings extends Pick<Offering, "config"> {
  /** `[node] brand`. */
  readonly brand: string;
}

/** A path that the configuration decides, such as one named after the node's brand. */
export type Locate = (settings: PathSettings) => ProductPath;
