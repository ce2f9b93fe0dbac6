const PRICE = "a price: in the currency that its row or product names";
const STATISTIC = "a statistic: in the unit of the field that holds it, or that its row names";
const PART = "part of a score: what it is depends on the rule or factor its row names";

/** Names that have more than one unit in answers, and why. A test fails for an entry that is no longer needed. */
export const FIELD_EXCEPTIONS: Readonly<Record<string, string>> = {
  bid: PRICE,
  change: "of a price or an indicator: in the currency or `unit` beside it",
  price: PRICE,
  mean: STATISTIC,
  median: STATISTIC,
  p25: STATISTIC,
  p50: STATISTIC,
  p75: STATISTIC,
  confidence: "0 to 100 of one signal, vote or seat; 0 to 1 of a state or a whole answer; each says which",
  risk: "0 to 100, but how many tokens where the object counts what was left out for which reason",
  score: "each product's own scale, which its description states",
  target: "an inflation target in percent, and the price a signal aims at",
  threshold: "what the value beside it is compared with, in its unit",
  value: PART,
  weight: PART,
};
