import { describe, expect, test } from "bun:test";
import { html, renderHtml, trusted } from "./html.ts";

const HOSTILE = [
  "<script>alert(1)</script>",
  '" onload="alert(1)',
  "' onload='alert(1)",
  "`onload=alert(1)`",
  "</title><img src=x onerror=alert(1)>",
  "&lt;b&gt;",
  "a & b < c",
  "\u0000<\u2028b>",
];

describe("a value in a template", () => {
  test.each(HOSTILE)("is text, whatever it says: %j", (text) => {
    const made = renderHtml(html`<p title="${text}">${text}</p>`);
    expect(made.match(/[<>"]/g)?.join("")).toBe('<""><>');
    expect(made).not.toContain("'");
    expect(made).not.toContain("`");
  });

  test("is shown unchanged", () => {
    const text = HOSTILE.join(" ");
    const element = new HTMLRewriter();
    let shown = "";
    element.on("p", {
      text: (chunk) => {
        shown += chunk.text;
      },
    });
    element.transform(renderHtml(html`<p>${text}</p>`));
    const entities: Record<string, string> = { lt: "<", gt: ">", quot: '"', "#39": "'", "#96": "`", amp: "&" };
    expect(shown.replaceAll(/&(#?\w+);/g, (_, name: string) => entities[name] ?? "")).toBe(text);
  });

  test("that is already markup stays markup, in lists too", () => {
    const items = ["a", "<b>"].map((one) => html`<li>${one}</li>`);
    expect(renderHtml(html`<ul>${items}</ul>${trusted("<hr>")}`)).toBe("<ul><li>a</li><li>&lt;b&gt;</li></ul><hr>");
  });

  test("that is null or undefined shows nothing; a zero is shown", () => {
    expect(renderHtml(html`${null}${undefined}${false}|${0}|${0n}|${""}`)).toBe("|0|0|");
  });

  test("from JSON cannot pass for markup", () => {
    const forged = JSON.parse('{"markup":"<b>","Symbol(markup)":"<b>","toString":"<b>"}');
    expect(() => renderHtml(html`${forged}`)).toThrow();
  });
});
