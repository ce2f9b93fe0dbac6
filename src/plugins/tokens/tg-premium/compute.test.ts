import { describe, expect, test } from "bun:test";
import { fc } from "../../../../test/helpers/properties.ts";
import { CHARS_MAX, escapeHTML, escapeMarkdown, neutralise, renderMessage } from "./escape.ts";

/** An independent reader of MarkdownV2's plain text: a backslash takes the next character; bare marks are a fault. */
function readMarkdown(text: string): string | null {
  let read = "";
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at] ?? "";
    if (letter === "\\") {
      at += 1;
      read += text[at] ?? "";
    } else if ("_*[]()~`>#+-=|{}.!".includes(letter)) return null;
    else read += letter;
  }
  return read;
}

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

  test("nobody is called and nothing is linked", () => {
    for (const text of ["@everyone", "tg://user?id=1", "see https://example.com", "t.me/abc"]) {
      expect(neutralise(text)).not.toMatch(/@\w|tg:\/\/|https:\/\/|t\.me\//);
    }
  });

  test("a message keeps to its limit, whole lines only", () => {
    const lines = Array.from({ length: 100 }, (_, n) => `line ${n} ${"x".repeat(90)}`);
    const { plain, char_count } = renderMessage({ section: "whale", title: "T", lines });
    expect(char_count).toBeLessThanOrEqual(CHARS_MAX);
    expect(plain.split("\n").every((line) => line === "T" || line.endsWith("x"))).toBe(true);
  });
});
