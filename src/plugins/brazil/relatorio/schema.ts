import { type Static, Type } from "@sinclair/typebox";
import { closed, count, nullable, oneOf, text, WRITTEN_FIELDS } from "intel-node";

const Table = Type.Object(
  {
    columns: Type.Array(Type.String(), { description: "Headings.", maxItems: 6 }),
    rows: Type.Array(Type.Array(Type.String(), { maxItems: 6 }), {
      description: "Cells as texts, numbers in the Portuguese form.",
      maxItems: 200,
    }),
  },
  closed,
);

const Section = Type.Object(
  {
    id: text("Name of the section."),
    heading: text("Its heading."),
    table: nullable(Table, "Its numbers", "where there are none"),
    text: text("Its sentences; of a missing section: that it is missing."),
    written_by: nullable(oneOf(["model", "template"] as const, "Their author."), "", "where there is nothing to say"),
  },
  closed,
);

const RiskSchema = Type.Object(
  {
    id: text("Name of the trigger."),
    triggered: nullable(Type.Boolean(), "Whether it is on; null when its value is unknown."),
    value: nullable(Type.Number({ decimals: 4 }), "Its value; null when unknown."),
    threshold: Type.Number({ description: "What it is compared with." }),
  },
  closed,
);

export const RelatorioSchema = Type.Object(
  {
    title: text("Title with the day."),
    edition: oneOf(["pre_abertura", "pos_fechamento"] as const, "Before the opening of B3, or after its close."),
    language: oneOf(["pt-BR"] as const, "Language of the report."),
    markdown: Type.String({ description: "The whole report in Markdown, ready to publish.", maxLength: 30_000 }),
    sections: Type.Array(Section, { description: "The same in parts.", maxItems: 12 }),
    risks: Type.Array(RiskSchema, { description: "Triggers by published rules.", maxItems: 12 }),
    word_count: count("Words of the report."),
    ...WRITTEN_FIELDS,
  },
  closed,
);
export type RelatorioData = Static<typeof RelatorioSchema>;
