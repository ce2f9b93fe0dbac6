import { type Words, wordsOf } from "../pages/words.ts";

const HEADER_CHARS_MAX = 200;

/** The reader's language: by `?lang=` of a link, else by what his browser prefers (RFC 9110, 12.5.4), else English. */
export function chooseWords(search: string, accept_language: string | null): Words {
  const chosen = search.includes("lang=") ? new URLSearchParams(search).get("lang")?.toLowerCase() : undefined;
  if (chosen?.startsWith("pt")) return wordsOf("pt-BR", true);
  if (chosen === "en") return wordsOf("en", true);
  return wordsOf(prefersPortuguese(accept_language) ? "pt-BR" : "en");
}

function prefersPortuguese(header: string | null): boolean {
  if (header === null || header.length > HEADER_CHARS_MAX) return false;
  const quality = { en: 0, pt: 0 };
  for (const part of header.split(",")) {
    const [tag = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
    const weight = parameters.find((text) => text.startsWith("q="));
    const value = weight === undefined ? 1 : Number(weight.slice(2)) || 0;
    const primary = tag.split("-")[0];
    if (primary === "en" || primary === "pt") quality[primary] = Math.max(quality[primary], value);
  }
  return quality.pt > quality.en;
}
