/** Characters that mean something in Telegram's MarkdownV2 (Bot API, "MarkdownV2 style"). */
const MARKDOWN_SPECIAL = /[_*[\]()~`>#+\-=|{}.!\\]/g;
/** What would call somebody, or lead somewhere: names of tokens are anybody's text. */
const MENTION = /@|tg:\/\/|https?:\/\/|t\.me\//gi;
const JOINER = "\u200d";

export const escapeHTML = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
export const escapeMarkdown = (text: string): string => text.replace(MARKDOWN_SPECIAL, (mark) => `\\${mark}`);
/** Breaks mentions and links apart without a visible change. */
export const neutralise = (text: string): string =>
  text.replace(MENTION, (found) => `${found[0]}${JOINER}${found.slice(1)}`);

/** A message as lines of plain text; the first is its title. */
export interface Draft {
  readonly section: string;
  readonly title: string;
  readonly lines: readonly string[];
}

/** Telegram takes 4,096 characters after its markup is read; some room is left. */
export const CHARS_MAX = 3_500;

export interface Rendered {
  readonly html: string;
  readonly markdown_v2: string;
  readonly plain: string;
  readonly char_count: number;
}

/** The same message in three encodings; lines that do not fit are left out, never cut in the middle. */
export function renderMessage({ title, lines }: Draft): Rendered {
  const kept: string[] = [];
  let chars = title.length;
  for (const line of lines.map(neutralise)) {
    if (chars + line.length + 1 > CHARS_MAX) break;
    kept.push(line);
    chars += line.length + 1;
  }
  return {
    html: [`<b>${escapeHTML(title)}</b>`, ...kept.map(escapeHTML)].join("\n"),
    markdown_v2: [`*${escapeMarkdown(title)}*`, ...kept.map(escapeMarkdown)].join("\n"),
    plain: [title, ...kept].join("\n"),
    char_count: chars,
  };
}
