/** Characters that mean something in Telegram's MarkdownV2 (Bot API, "MarkdownV2 style"). */
const MARKDOWN_SPECIAL = /[_*[\]()~`>#+\-=|{}.!\\]/g;
/**
 * What would call somebody, or lead somewhere: names of tokens are anybody's text. Chat apps make links of bare
 * domains, and of commands and tags, too.
 */
const MENTION = /@|tg:\/\/|https?:\/\/|t\.me\/|(?<=[\p{L}\p{N}_-])\.(?=\p{L}{2})|(?<=^|\s)[/#](?=[\p{L}\p{N}_])/giu;
const JOINER = "\u200d";

export const escapeHTML = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
export const escapeMarkdown = (text: string): string => text.replace(MARKDOWN_SPECIAL, (mark) => `\\${mark}`);
/** Breaks mentions and links apart without a visible change. */
export const neutralise = (text: string): string =>
  text.replace(MENTION, (found) => `${found[0]}${JOINER}${found.slice(1)}`);

/** A line of a message; what it links to is an address this node made, never one of others' texts. */
export interface Line {
  readonly text: string;
  readonly link?: string;
}

/** A message as lines; the first is its title. */
export interface MessageDraft {
  readonly section: string;
  readonly title: string;
  readonly lines: readonly Line[];
}

const LINK_TEXT = "record";
/** Inside the brackets of an address only these two mean something (Bot API, "MarkdownV2 style"). */
const escapeAddress = (url: string): string => url.replace(/[)\\]/g, (mark) => `\\${mark}`);
const escapeAttribute = (url: string): string => escapeHTML(url).replaceAll('"', "&quot;");

const renderHTML = ({ text, link }: Line): string =>
  escapeHTML(text) + (link === undefined ? "" : ` <a href="${escapeAttribute(link)}">${LINK_TEXT}</a>`);
const renderMarkdown = ({ text, link }: Line): string =>
  escapeMarkdown(text) + (link === undefined ? "" : ` [${LINK_TEXT}](${escapeAddress(link)})`);
const renderPlain = ({ text, link }: Line): string => (link === undefined ? text : `${text} ${link}`);

/** Telegram takes 4,096 characters after its markup is read; some room is left. */
export const CHARS_MAX = 3_500;

export interface RenderedText {
  readonly html: string;
  readonly markdown_v2: string;
  readonly plain: string;
  readonly char_count: number;
}

/** The same message in three encodings; lines that do not fit are left out, never cut in the middle. */
export function renderMessage({ title, lines }: MessageDraft): RenderedText {
  const kept: Line[] = [];
  let chars = title.length;
  for (const line of lines) {
    const harmless = { ...line, text: neutralise(line.text) };
    const length = renderPlain(harmless).length + 1;
    if (chars + length > CHARS_MAX) break;
    kept.push(harmless);
    chars += length;
  }
  return {
    html: [`<b>${escapeHTML(title)}</b>`, ...kept.map(renderHTML)].join("\n"),
    markdown_v2: [`*${escapeMarkdown(title)}*`, ...kept.map(renderMarkdown)].join("\n"),
    plain: [title, ...kept.map(renderPlain)].join("\n"),
    char_count: chars,
  };
}
