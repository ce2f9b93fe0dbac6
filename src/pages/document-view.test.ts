import { describe, expect, test } from "bun:test";
import { renderDocument } from "./document-view.ts";
import { type Html, renderHtml } from "./html.ts";
import { ENGLISH } from "./words.ts";

const show = (data: unknown): string => {
  const made: Html | null = renderDocument(data, ENGLISH);
  return made ? renderHtml(made) : "";
};
const REPORT = {
  title: "Relatório",
  language: "pt-BR",
  sections: [
    { heading: "Juros", text: "A Selic está em 15%.\n- um\n- dois", table: { columns: ["Dado"], rows: [["<b>"]] } },
    { heading: "Agro", text: "", table: null },
  ],
  blocks: [{ id: "juros", text: "A Selic está em 15%." }],
  facts: [{ label: "Selic", value: 15, unit: "pct", as_of: "2026-01-12", from: "/br-macro" }],
};

describe("a written answer", () => {
  test("with sections: headings, sentences, lists and tables in its own language, all text escaped", () => {
    const page = show(REPORT);
    for (const part of ['lang="pt-BR"', "<h2>Relatório</h2>", "<h3>Juros</h3>", "<p>A Selic está em 15%.</p>"])
      expect(page).toContain(part);
    expect(page).toContain("<ul><li>um</li><li>dois</li></ul>");
    expect(page).toContain("<td>&lt;b&gt;</td>");
    expect(page).not.toContain("<b>");
  });

  test("with only blocks: each under its name, and the numbers as a table", () => {
    const { sections: _, ...blocks } = REPORT;
    const page = show({ ...blocks, regime: { name: "slowdown" } });
    for (const part of ["<h3>juros</h3>", "<td>Selic</td>", "<td>15</td>", "slowdown"]) expect(page).toContain(part);
  });

  test("is recognised by its form; other data is not laid out as one", () => {
    for (const data of [null, 3, [], {}, { blocks: [] }, { blocks: [{ number: 1 }] }, { sections: [1] }])
      expect(show(data)).toBe("");
  });
});
