import { expect, test } from "bun:test";
import { renderHtml } from "./html.ts";
import { renderEnglishText } from "./markdown.ts";
import { ENGLISH } from "./words.ts";

test("code is shown as written, inline and in a block; a tag outside of code is text", () => {
  const text = "# Title\nSee `/<brand>-score` & <img src=x>.\n\n```\na <b> & `c`\n```\n\n<script>x</script>\n";
  const page = renderHtml(renderEnglishText(text, ENGLISH));
  expect(page).toContain("<code>/&lt;brand&gt;-score</code>");
  expect(page).toContain("a &lt;b&gt; &amp; `c`");
  expect(page).not.toMatch(/<(?:img|script|b)\b/);
  expect(page).not.toContain("&amp;lt;");
});
