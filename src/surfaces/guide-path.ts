/** Where the guide for agents is served. */
export const GUIDE_PATH = "/guide.md";
