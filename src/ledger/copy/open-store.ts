import type { CopyPlace } from "./copy-state.ts";
import type { CopyStore } from "./copy-store.ts";
import { createFolderStore } from "./folder-store.ts";
import { createS3Store } from "./s3-store.ts";

/** @param time_ms_max of one call. */
export const openCopyStore = (place: CopyPlace, time_ms_max = 60_000): CopyStore =>
  place.kind === "folder" ? createFolderStore(place.folder, time_ms_max) : createS3Store(place, time_ms_max);
