import { type Static, Type } from "@sinclair/typebox";
import { type FactDraft, getOwn, type ModelFacts, WRITTEN_FIELDS } from "intel-node";

/** What is read of another written product: the facts it published, whatever it is about. */
export const PublishedFacts = Type.Object({ facts: WRITTEN_FIELDS.facts });
export type PublishedFact = Static<typeof PublishedFacts>["facts"][number];

/** Other names of coins, as questions and headlines write them. */
export const COIN_NAMES: Readonly<Record<string, readonly string[]>> = {
  BTC: ["Bitcoin"],
  ETH: ["Ether", "Ethereum"],
  SOL: ["Solana"],
  BNB: [],
  XRP: ["Ripple"],
  ADA: ["Cardano"],
  DOGE: ["Dogecoin"],
  AVAX: ["Avalanche"],
  LINK: ["Chainlink"],
  LTC: ["Litecoin"],
};

/** Published facts as drafts of another pack. Names stay apart by where they come from. Pure. */
export const toDrafts = (from: string, facts: readonly PublishedFact[]): readonly FactDraft[] =>
  facts.map(({ id: _, name, ...fact }) => ({ ...fact, name: `${from}.${name}` }));

/** The subjects that facts are about, with their other names. */
export const subjectsOf = (
  facts: readonly Pick<PublishedFact, "about">[],
): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(facts.flatMap(({ about }) => (about === null ? [] : [[about, getOwn(COIN_NAMES, about) ?? []]])));

const STRETCH = /\b(\d{1,4})(?:([hdwmy])|[ -](hour|day|week|month|year)s?)\b/g;

/**
 * The periods that labels name, such as the term in "DI rate of 10y": a text that may show such a fact may name
 * its label.
 */
export const windowsOf = (facts: readonly Pick<PublishedFact, "label">[]): readonly string[] => [
  ...new Set(
    facts.flatMap(({ label }) =>
      [...label.matchAll(STRETCH)].map(([, count, letter, word = ""]) => `${count}${letter ?? word.charAt(0)}`),
    ),
  ),
];

/** Models that may compose and are alive now, in the order of the configuration: debates spread over them. */
export const listWriters = (models: readonly ModelFacts[]): readonly string[] =>
  models.filter(({ uses, is_alive }) => uses.includes("compose") && is_alive).map(({ id }) => id);
