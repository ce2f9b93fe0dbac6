import { type Static, Type } from "@sinclair/typebox";
import { closed, count, nullable, oneOf, text } from "intel-node";

export const SECTIONS = ["whale", "launch", "smart", "mev", "yield", "sentiment"] as const;
export type PremiumSection = (typeof SECTIONS)[number];

export const TgPremiumParams = Type.Object(
  {
    sections: Type.Optional(
      Type.String({
        description: `Sections separated by commas, of ${SECTIONS.join(", ")}; all of them when left out.`,
        pattern: `^(${SECTIONS.join("|")})(,(${SECTIONS.join("|")}))*$`,
        maxLength: 60,
      }),
    ),
    lang: Type.Optional(oneOf(["en", "pt"], "Language of the fixed words.", "en")),
    max_messages: Type.Optional(
      Type.Integer({ description: "Messages at most.", minimum: 1, maximum: 10, default: 5 }),
    ),
  },
  closed,
);

export const TgPremiumSchema = Type.Object(
  {
    messages: Type.Array(
      Type.Object(
        {
          order: count("Position, from 1."),
          section: oneOf(SECTIONS, "What it is about."),
          html: text("For parse_mode HTML."),
          markdown_v2: text("For parse_mode MarkdownV2."),
          plain: text("Without markup."),
          char_count: count(
            "Characters of the plain text; at most 3,500. With its markup applied a message is no longer.",
          ),
          as_of: text("Time of its data."),
        },
        closed,
      ),
      { description: "Ready to post, in order." },
    ),
    send_hint: Type.Object(
      {
        parse_mode: oneOf(["HTML", "MarkdownV2"], "Either goes with its text."),
        disable_web_page_preview: Type.Literal(true, { description: "Links are records to check, not pages to show." }),
      },
      { ...closed, description: "How to send it." },
    ),
    sections_missing: Type.Array(oneOf(SECTIONS, "Section."), { description: "Asked for and without fresh data." }),
    receipts_url: nullable(
      Type.String(),
      "Public receipts of what this node sold; a message's last line. Null where it has no address.",
    ),
    not_advice: Type.Literal(true, { description: "No advice to buy or sell." }),
  },
  closed,
);
export type TgPremiumData = Static<typeof TgPremiumSchema>;
