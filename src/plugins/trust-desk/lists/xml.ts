import type { XMLElement } from "intel-node";

/** Elements by a path of names, such as "akaList/aka". */
export function findAll(element: XMLElement, path: string): readonly XMLElement[] {
  const [name = "", ...rest] = path.split("/");
  const found = element.children.filter((child) => child.name === name);
  return rest.length === 0 ? found : found.flatMap((child) => findAll(child, rest.join("/")));
}

/** The text of the first element of a path; "" without one. */
export const textOf = (element: XMLElement, path: string): string => findAll(element, path)[0]?.text.trim() ?? "";

export const textsOf = (element: XMLElement, path: string): readonly string[] =>
  findAll(element, path)
    .map(({ text }) => text.trim())
    .filter((text) => text !== "");

/** All text in an element, for data without its own field. */
export const allText = (element: XMLElement): string =>
  [element.text, ...Object.values(element.attributes), ...element.children.map(allText)].join(" ");
