import { b3Closes } from "intel-node/series/b3-closes";

/** Written here; other domains read it too. */
export const table = b3Closes;
