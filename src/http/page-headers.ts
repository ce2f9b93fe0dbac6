import { PAGE_HEADERS } from "../pages/layout.ts";

/** Nothing is kept by browsers without asking: most pages change with every sale. */
export const PAGE_RESPONSE_HEADERS: Readonly<Record<string, string>> = {
  ...PAGE_HEADERS,
  "Cache-Control": "no-cache",
  Vary: "Accept, Accept-Encoding, Accept-Language",
  Link: '</llms.txt>; rel="describedby"; type="text/markdown"',
};
