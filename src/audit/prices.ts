import { type ChallengeFacts, readChallenge } from "../challenge-reader/read-challenge.ts";
import { listAt, membersAt, textAt, valueAt } from "../core/json-values.ts";
import { parseUSD } from "../core/money.ts";
import { getOwn } from "../core/own.ts";
import { type AuditedAnswer, answerOf, BAZAAR_PAGE, documentOf, type EndpointFacts, pathOf } from "./facts.ts";

/** A price as one document states it. */
export interface StatedPrice {
  readonly path: string;
  /** Atomic USDC, or the value itself when it cannot be read as a price. */
  readonly price: string;
}

/** A document that lists what is sold. */
export interface PriceList {
  readonly path: string;
  readonly read: (facts: EndpointFacts) => readonly StatedPrice[];
}

const DOLLARS = /\$(\d+(?:\.\d+)?)/g;

function usd(text: string): string {
  try {
    return parseUSD(text).toString();
  } catch {
    return `"${text.slice(0, 40)}"`;
  }
}

/** The last amount in a text: earlier ones may be limits or credits. */
const lastDollars = (text: string): string => {
  const found = [...text.matchAll(DOLLARS)].at(-1)?.[1];
  return found === undefined ? "none" : usd(found);
};

const stated = (facts: EndpointFacts, url: string, price: string): readonly StatedPrice[] => {
  const path = pathOf(facts, url);
  return path === null ? [] : [{ path, price }];
};

const ofAccepts = (facts: EndpointFacts, url: string, entries: readonly unknown[]): readonly StatedPrice[] =>
  entries.flatMap((entry) => stated(facts, url, textAt(entry, "amount") || "none"));

/** Lines of a text with a link to this node and an amount behind it, as crawlers read them. */
const ofLines = (path: string) => (facts: EndpointFacts) =>
  answerOf(facts, path)
    .text.split("\n")
    .flatMap((line) => {
      const link = /^\s*-\s*\[[^\]]*\]\((\S+?)\)(.*)$/.exec(line);
      return link?.[2]?.includes("$") ? stated(facts, link[1] ?? "", lastDollars(link[2])) : [];
    });

/** Every object with an address and a price in USD, however deep. */
function findPriced(facts: EndpointFacts, value: unknown, depth = 0): readonly StatedPrice[] {
  if (depth > 8 || typeof value !== "object" || value === null) return [];
  const url = textAt(value, "url");
  const price = textAt(value, "price_usd");
  if (url !== "" && price !== "") return stated(facts, url, usd(price));
  return Object.values(value).flatMap((member) => findPriced(facts, member, depth + 1));
}

const ofTools = (path: string): PriceList => ({ path, read: (facts) => findPriced(facts, documentOf(facts, path)) });

function readOpenAPI(facts: EndpointFacts): readonly StatedPrice[] {
  return membersAt(documentOf(facts, "/openapi.json"), "paths").flatMap(([path, item]) =>
    membersAt(item).flatMap(([, operation]) => {
      const { amount, min } = (valueAt(operation, "x-payment-info", "price") ?? {}) as Record<string, unknown>;
      const price = amount ?? min;
      const atomic = valueAt(operation, "x-x402-details", "amount_atomic");
      return [
        ...(price === undefined ? [] : [{ path, price: usd(String(price)) }]),
        ...(atomic === undefined ? [] : [{ path, price: String(atomic) }]),
      ];
    }),
  );
}

function readBazaarPages(facts: EndpointFacts): readonly unknown[] {
  const keys = [...facts.answers.keys()].filter((key) => key.startsWith(`GET ${BAZAAR_PAGE}`));
  const paths = ["/bazaar.json", ...keys.map((key) => key.slice("GET ".length))];
  return paths.flatMap((path) => listAt(documentOf(facts, path), "items"));
}

/** Every document that states prices; the 402 answers are read beside them. */
export const PRICE_LISTS: readonly PriceList[] = [
  {
    path: "/get-pricing",
    read: (facts) =>
      listAt(documentOf(facts, "/get-pricing"), "products").flatMap((one) => [
        { path: textAt(one, "path"), price: usd(textAt(one, "price_usd")) },
        { path: textAt(one, "path"), price: textAt(one, "price_atomic") },
      ]),
  },
  {
    path: "/.well-known/x402.json",
    read: (facts) =>
      listAt(documentOf(facts, "/.well-known/x402.json"), "resources").flatMap((one) => [
        ...stated(facts, textAt(one, "url"), textAt(one, "maxAmountRequired") || "none"),
        ...ofAccepts(facts, textAt(one, "url"), listAt(one, "accepts")),
      ]),
  },
  {
    path: "/.well-known/x402",
    read: (facts) =>
      listAt(documentOf(facts, "/.well-known/x402"), "endpoints").map((one) => ({
        path: textAt(one, "path"),
        price: usd(textAt(one, "price").replace(/^\$/, "")),
      })),
  },
  { path: "/openapi.json", read: readOpenAPI },
  {
    path: "/bazaar.json",
    read: (facts) =>
      readBazaarPages(facts).flatMap((one) => ofAccepts(facts, textAt(one, "resource"), listAt(one, "accepts"))),
  },
  {
    path: "/.well-known/mcp.json",
    read: (facts) =>
      listAt(documentOf(facts, "/.well-known/mcp.json"), "tools").flatMap((one) => {
        const url = textAt(one, "x402", "resource");
        if (url === "") return [];
        return [
          ...stated(facts, url, usd(textAt(one, "x402", "price").replace(/^\$/, ""))),
          ...stated(facts, url, lastDollars(textAt(one, "description"))),
        ];
      }),
  },
  {
    path: "/.well-known/agent-card.json",
    read: (facts) =>
      listAt(documentOf(facts, "/.well-known/agent-card.json"), "skills").flatMap((one) => {
        const url = /https?:\S+/.exec(textAt(one, "examples", 0))?.[0] ?? "";
        return stated(facts, url, lastDollars(textAt(one, "description")));
      }),
  },
  { path: "/llms.txt", read: ofLines("/llms.txt") },
  ofTools("/tools.json"),
  ofTools("/tools.json?format=openai"),
  ofTools("/tools.json?format=anthropic"),
  ofTools("/tools.json?format=gemini"),
];

/** Each answer is read once, however many rules look at it. */
const read = new WeakMap<AuditedAnswer, ChallengeFacts>();

/** The 402 answer of a product. */
export function challengeOf(facts: EndpointFacts, path: string): ChallengeFacts {
  const answer = answerOf(facts, path);
  const known = read.get(answer);
  if (known !== undefined) return known;
  const headers = { get: (name: string) => getOwn(answer.headers, name) ?? null };
  const challenge = readChallenge({ headers, body: answer.text });
  read.set(answer, challenge);
  return challenge;
}

/** What the 402 answer of a product asks for: every amount in its header and in its body. */
export function readAskedPrices(facts: EndpointFacts, path: string): readonly string[] {
  const { header_value, body_value } = challengeOf(facts, path);
  const entries = [...listAt(header_value, "accepts"), ...listAt(body_value, "accepts")];
  return entries.map((entry) => textAt(entry, "amount") || "none");
}

/** Paths that any document lists with a price. */
export const listSold = (facts: EndpointFacts): readonly string[] =>
  [...new Set(PRICE_LISTS.flatMap(({ read }) => read(facts).map(({ path }) => path)))].filter(Boolean).sort();
