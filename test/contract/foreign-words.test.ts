import { afterAll, beforeAll, expect, test } from "bun:test";
import { createWholeNode, type Outcome, PRODUCTS, produce, runJobs } from "../helpers/catalog-world.ts";
import { INJECTIONS, ORDERS } from "../helpers/injections.ts";
import type { SimulatedNode } from "../helpers/simulated-node.ts";

/**
 * Every text that upstreams tell - titles, summaries, descriptions - carries one of the 456 injections, in the stored
 * headlines of the jobs and in what is asked for now. No answer of any product hands an order on, shows what no reader
 * sees, or has a foreign text without a bound.
 */
const NOW_MS = Date.parse("2026-10-01T12:34:56Z");
/** Members of upstreams' answers that hold words of strangers. */
const OF_WORDS =
  /^(?:title|headline|summary|description|snippet|excerpt|question|comment|content|body_text|story_title)$/;
const IN_MARKUP = /(<(title|description|summary)(?: [^>]*)?>)(?!<!\[CDATA\[)([^<]+)(?=<\/\2>)/g;
const TEXT_CHARS_MAX = 300;
const UNSEEN = /(?![\n\r\t])\p{Cc}|\p{Cf}|[\u{e0000}-\u{e0fff}]/u;
const MARKUP = /<!--|<\/?(?:b|i|a|p|br|img|script|div|span)\b/i;

/** Nothing that is withheld: what has to come as plain words, and end somewhere. */
const DRESSED = `<b>bold</b><!-- unseen --> \u202eright to left\u202c zero\u200bwidth ${"and so on ".repeat(60)}`;

let told = 0;
/** Every other text carries an order, the others only its dress: an order that is seen takes the whole text away. */
const next = (): string => {
  told += 1;
  return told % 2 === 0 ? DRESSED : `${INJECTIONS[(told >> 1) % INJECTIONS.length]?.text} ${DRESSED}`;
};

function bendValue(value: unknown, name = ""): unknown {
  if (typeof value === "string") return OF_WORDS.test(name) && value.includes(" ") ? `${value} ${next()}` : value;
  if (Array.isArray(value)) return value.map((one) => bendValue(one, name));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, bendValue(one, key)]));
}
const escapeXML = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** An upstream's answer with an injection in each of its words; all else as it was. */
async function bend(answer: Response): Promise<Response> {
  const kind = answer.headers.get("content-type") ?? "";
  if (!answer.ok || !/json|xml|text/.test(kind)) return answer;
  const text = await answer.text();
  const bent = /json/.test(kind)
    ? JSON.stringify(bendValue(JSON.parse(text)))
    : text.replace(IN_MARKUP, (_, open: string, __, words: string) => `${open}${words} ${escapeXML(next())}`);
  const headers = new Headers(answer.headers);
  headers.delete("content-length");
  return new Response(bent, { status: answer.status, headers });
}

interface Text {
  readonly text: string;
  /** Stands beside a mark that says so. */
  readonly is_marked: boolean;
}
function* textsOf(value: unknown, is_marked = false): Generator<Text> {
  if (typeof value === "string") yield { text: value, is_marked };
  else if (typeof value === "object" && value !== null) {
    const own = is_marked || ("suspicious" in value && value.suspicious === true);
    for (const one of Object.values(value)) yield* textsOf(one, own);
  }
}

let node: SimulatedNode;
const outcomes = new Map<string, Outcome>();
beforeAll(async () => {
  node = createWholeNode({ now_ms: NOW_MS, bend });
  await runJobs(node);
  for (const product of PRODUCTS) outcomes.set(product.path, await produce(node, product));
});
afterAll(() => node.close());

test("every injection was told, and the products are sold all the same", () => {
  expect(told / 2).toBeGreaterThan(INJECTIONS.length);
  const sold = [...outcomes.values()].filter(({ ok }) => ok).length;
  expect(sold).toBeGreaterThan(PRODUCTS.length * 0.9);
});

/** Its posts are markup of ours, in which a name that would become a link is broken: hostile-names.test.ts has them. */
const POSTS = "/tg-premium";

test.each(PRODUCTS.map(({ path }) => path).filter((path) => path !== POSTS))(
  "%s hands no order on, hides nothing and bounds what others say",
  (path) => {
    const outcome = outcomes.get(path);
    const wrong = !outcome?.ok
      ? []
      : [...textsOf(outcome.sold)].flatMap(({ text, is_marked }) => {
          const order = ORDERS.find((one) => text.toLowerCase().includes(one.toLowerCase()));
          if (order !== undefined && !is_marked) return [`an order: ${text.slice(0, 200)}`];
          if (UNSEEN.test(text)) return [`what nobody sees: ${JSON.stringify(text.slice(0, 200))}`];
          if (MARKUP.test(text)) return [`markup: ${text.slice(0, 200)}`];
          if (text.includes("and so on and so on") && [...text].length > TEXT_CHARS_MAX)
            return [`long: ${text.length}`];
          return [];
        });
    expect(wrong.slice(0, 5)).toEqual([]);
  },
);
