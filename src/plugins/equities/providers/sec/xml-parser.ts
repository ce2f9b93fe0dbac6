/** The library that reads XML, loaded with the first form that is read: no start waits for it. */
export const loadXML = (): typeof import("fast-xml-parser") => require("fast-xml-parser");
