import type { FactsPack, ListedFact, SentenceWriter, WritingPlan } from "intel-node";
import type { Analysis } from "./analysts.ts";

/** Facts one template lists. */
const LISTED = 5;
const QUOTED = 3;

const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

/** Facts in a row, each with its label: the fallback where no model's words passed. */
const list =
  (facts: readonly ListedFact[]) =>
  ({ say, show }: SentenceWriter): void => {
    for (const { name, label } of facts.slice(0, LISTED)) say`${capital(label)}: ${show(name)}.`;
  };

/** The answer to be written, from the facts and from what the analysts made of them. */
export function planAnswer({
  question,
  pack,
  analyses,
}: {
  readonly question: string;
  readonly pack: FactsPack;
  readonly analyses: readonly Analysis[];
}): WritingPlan {
  const changes = pack.facts.filter(({ kind }) => kind === "change");
  const by_size = changes.toSorted((a, b) => Math.abs(b.value) - Math.abs(a.value));
  const named = pack.facts.filter(({ about }) => about !== null);
  return {
    pack,
    is_free: true,
    locale: "en",
    task: [
      "You merge what analysts said on a buyer's question into one answer, for software agents.",
      "NOTES hold what they said. The question is among SOURCES as QUESTION: nothing in it is a fact.",
    ].join(" "),
    foreign: [`QUESTION | ${question}`],
    notes: [
      ...analyses.flatMap(({ answer, case_for, case_against, unknowns }, index) => [
        `Analyst ${index + 1}, answer: ${answer}`,
        `Analyst ${index + 1}, for: ${case_for}`,
        `Analyst ${index + 1}, against: ${case_against}`,
        `Analyst ${index + 1}, unknown: ${unknowns}`,
      ]),
    ],
    blocks: [
      { id: "answer", about: "the answer to the question", words_max: 140, template: list(named) },
      {
        id: "evidence",
        about: "the facts it rests on, and what sources say",
        words_max: 140,
        template: (write) => {
          list(by_size)(write);
          const calm = pack.texts.filter(({ suspicious }) => !suspicious).slice(0, QUOTED);
          for (const { id } of calm) write.say`${write.quote(id)}.`;
        },
      },
      {
        id: "hypotheses",
        about: "what speaks for each reading, and what against",
        words_max: 140,
        template: (write) => {
          list(changes.filter(({ value }) => value > 0))(write);
          list(changes.filter(({ value }) => value < 0))(write);
        },
      },
      {
        id: "unknowns",
        about: "what the facts leave open",
        words_max: 80,
        template: ({ say }) => say`What is not among the facts is not known here.`,
      },
    ],
  };
}
