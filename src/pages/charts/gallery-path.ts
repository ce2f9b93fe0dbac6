/** Path under which the sandbox shows every kind of chart. */
export const GALLERY_PATH = "/__sandbox/gallery";
