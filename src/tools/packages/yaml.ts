/** The supported values of a YAML document. */
export type Yaml = string | number | boolean | readonly Yaml[] | { readonly [name: string]: Yaml };

/** A text without quotes, if nothing in it can be mistaken for something else. */
const PLAIN = /^[A-Za-z/][A-Za-z0-9 /_.-]*[A-Za-z0-9/]$/;
const WORDS = /^(?:true|false|null|yes|no|on|off)$/i;
const scalar = (value: string | number | boolean): string =>
  typeof value === "string" && !(PLAIN.test(value) && !WORDS.test(value)) ? JSON.stringify(value) : String(value);

const isScalar = (value: Yaml): value is string | number | boolean => typeof value !== "object";
const isList = (value: Yaml): value is readonly Yaml[] => Array.isArray(value);

/** A value that fits on the line of its name; null for one that goes on the lines below. */
function inlineOf(value: Yaml): string | null {
  if (isScalar(value)) return scalar(value);
  if (Object.keys(value).length > 0) return null;
  return isList(value) ? "[]" : "{}";
}

function linesOf(value: Yaml): readonly string[] {
  const inline = inlineOf(value);
  if (inline !== null || isScalar(value)) return [inline ?? ""];
  if (isList(value)) {
    return value.flatMap((one) => {
      const [first = "", ...rest] = linesOf(one);
      return [`- ${first}`, ...rest.map((line) => `  ${line}`)];
    });
  }
  return Object.entries(value).flatMap(([name, inner]) => {
    const beside = inlineOf(inner);
    if (beside !== null) return [`${scalar(name)}: ${beside}`];
    return [`${scalar(name)}:`, ...linesOf(inner).map((line) => `  ${line}`)];
  });
}

/** Renders a document of YAML 1.2 in block style. */
export const renderYAML = (value: Yaml): string => `${linesOf(value).join("\n")}\n`;
