/** Where the guide for agents is served. */
export const GUIDE_PATH = "/guide.md";
/** The same for people. */
export const GUIDE_PAGE_PATH = "/guide";
