/** Renders answers as elements. Data is always set as text, never as markup. */
import { describeAnswer } from "./answer.ts";
import { createAnswerReader } from "./reader.ts";

const ROWS_MAX = 250;

const toNode = (part) => {
  if (typeof part === "string") return document.createTextNode(part);
  const element = document.createElement(part.tag);
  for (const [name, value] of Object.entries(part.attributes ?? {})) element.setAttribute(name, value);
  element.append(...part.parts.map(toNode));
  return element;
};

/** The answer to a call, laid out with the words and labels of the page. */
export const layOutAnswer = (text, is_answer) => {
  const { texts } = document.querySelector("[data-answer]").dataset;
  return describeAnswer(text, is_answer, createAnswerReader(JSON.parse(texts), ROWS_MAX)).map(toNode);
};
