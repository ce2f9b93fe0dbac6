import { describe, expect, test } from "bun:test";
import { fc } from "../../../../test/helpers/properties.ts";
import { CHARS_MAX, escapeHTML, escapeMarkdown, neutralise, renderMessage } from "./escape.ts";

/**
 * An independent reader of MarkdownV2, by the Bot API's rules: a backslash takes the next character, `*` turns bold on
 * and off, `[text](address)` is a link; any other bare mark is a fault, as it is to Telegram.
 */
function readMarkdown(text: string): string | null {
  let [read, address] = ["", false];
  const open: string[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at] ?? "";
    if (letter === "\\") {
      at += 1;
      read += text[at] ?? "";
    } else if (address) {
      if (letter === ")") address = false;
      else read += letter;
    } else if (letter === "*" && open.at(-1) === "*") open.pop();
    else if (letter === "*" || letter === "[") open.push(letter);
    else if (letter === "]" && open.at(-1) === "[" && text[at + 1] === "(") {
      open.pop();
      at += 1;
      address = true;
      read += " ";
    } else if ("_[]()~`>#+-=|{}.!".includes(letter)) return null;
    else read += letter;
  }
  return open.length === 0 && !address ? read : null;
}

const LINKS = ["https://etherscan.io/tx/0xab_c", "https://example.com/(a)\\b*?q=1&r=%22"] as const;

describe("escaping", () => {
  test("the published vectors", () => {
    expect(escapeHTML('A<b>&"x"')).toBe('A&lt;b&gt;&amp;"x"');
    expect(escapeMarkdown("Risk 62.0 (AVOID) - $CAT_1!")).toBe("Risk 62\\.0 \\(AVOID\\) \\- $CAT\\_1\\!");
  });

  test("whatever a name holds, MarkdownV2 reads it back and HTML has no mark left", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (text) => {
        expect(readMarkdown(escapeMarkdown(text))).toBe(text);
        expect(escapeHTML(text)).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)/);
      }),
    );
  });

  test("mentions nobody and links nothing", () => {
    for (const text of ["@everyone", "tg://user?id=1", "see https://example.com", "t.me/abc"]) {
      expect(neutralise(text)).not.toMatch(/@\w|tg:\/\/|https:\/\/|t\.me\//);
    }
  });

  test("a whole message reads back, whatever its names and addresses hold; a bare name's star would not", () => {
    expect(readMarkdown("*a")).toBeNull();
    expect(readMarkdown("a.b")).toBeNull();
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 80 }), fc.constantFrom(...LINKS), (text, link) => {
        const { markdown_v2, html, plain } = renderMessage({ section: "whale", title: "T!", lines: [{ text, link }] });
        expect(readMarkdown(markdown_v2)).toBe(plain.replace(link, `record ${link}`));
        expect(html.replaceAll(/<\/?b>|<a href="[^"<>]*">record<\/a>/g, "")).not.toMatch(/[<>]/);
      }),
    );
  });

  test("a message keeps to its limit, whole lines only", () => {
    const lines = Array.from({ length: 100 }, (_, n) => ({ text: `line ${n} ${"x".repeat(90)}` }));
    const { plain, char_count } = renderMessage({ section: "whale", title: "T", lines });
    expect(char_count).toBeLessThanOrEqual(CHARS_MAX);
    expect(plain.split("\n").every((line) => line === "T" || line.endsWith("x"))).toBe(true);
  });
});
