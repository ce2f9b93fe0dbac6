const ACCEPT_CHARS_MAX = 1_000;

/**
 * Reads an Accept header (RFC 9110 section 12.5.1): how much a media type is wanted, 0 to 1. Null when the header says
 * nothing, or more than anybody has to read.
 */
export function readAccept(header: string | null): ((type: string) => number) | null {
  if (header === null || header === "" || header.length > ACCEPT_CHARS_MAX) return null;
  const ranges = header.split(",").map((part) => {
    const [type = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
    const quality = parameters.find((text) => text.startsWith("q="));
    return { type, quality: quality === undefined ? 1 : Number(quality.slice(2)) || 0 };
  });
  return (type) => {
    const group = `${type.split("/")[0]}/*`;
    const found =
      ranges.find((range) => range.type === type) ??
      ranges.find((range) => range.type === group) ??
      ranges.find((range) => range.type === "*/*");
    return found?.quality ?? 0;
  };
}

/** Whether a person's browser asks: it names HTML and likes it better than JSON. Software names neither, or JSON. */
export function wantsPage(header: string | null): boolean {
  if (header === null || !/text\/html/i.test(header)) return false;
  const qualityOf = readAccept(header);
  return qualityOf !== null && qualityOf("text/html") > qualityOf("application/json");
}

/** Whether JSON is asked for by name, and liked better than a page. */
export function wantsJSON(header: string | null): boolean {
  if (header === null || !/application\/json/i.test(header)) return false;
  const qualityOf = readAccept(header);
  return qualityOf !== null && qualityOf("application/json") > qualityOf("text/html");
}
