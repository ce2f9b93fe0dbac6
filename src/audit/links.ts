/** What ends a link in running text. */
const LINK_END = /[\s"'`<>)\]\\|]/;
/** Placeholders for something to be filled in. */
export const TEMPLATE = /[{}*…$]|:id|:key|%7B/;

/**
 * Paths, with their queries, that a text of any kind links to at this address: absolute links wherever they stand, and
 * the `href` of a page.
 * @param public_url without a slash at its end.
 */
export function readLinks(text: string, public_url: string): readonly string[] {
  const found = new Set<string>();
  const add = (link: string) => {
    const path = (link.split("#")[0] ?? "").replace(/[.,;:!?]+$/, "");
    if (path.startsWith("/") && !TEMPLATE.test(path)) found.add(path);
  };
  const plain = text.replaceAll("&quot;", `"`).replaceAll("&amp;", "&");
  for (const part of plain.split(public_url).slice(1)) add(part.split(LINK_END)[0] ?? "");
  for (const [, path = ""] of plain.matchAll(/\bhref="(\/[^"]*)/g)) if (!path.startsWith("//")) add(path);
  return [...found];
}
