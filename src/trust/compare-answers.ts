import type { TSchema } from "@sinclair/typebox";

/** One place where two answers of the same product say something else. */
export interface AnswerDifference {
  readonly path: string;
  readonly own: string;
  readonly peer: string;
}

const DIFFERENCES_MAX = 5;
const SHOWN_CHARS = 60;
const DEPTH_MAX = 12;
/** Of the last figure: two honest nodes may round a figure that lies between two others apart. */
const SLACK = 1.000001;
/** What a clock or a way through the network makes different on two honest nodes. */
const OF_THE_MOMENT = /(^|_)(at|ago|age|now|time|since|until|expires|latency|took|elapsed|id|node|url|ms|s)$/;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Where a peer's data differs from this node's own beyond the product's own rounding: a number by more than one unit of
 * the last figure its schema rounds to (where it rounds nothing: at all), a list by its length, a word or flag at all.
 * Fields that by their name follow from the moment or the node are not compared, nor texts longer than a word.
 */
export function compareAnswers(schema: TSchema, own: unknown, peer: unknown): readonly AnswerDifference[] {
  const found: AnswerDifference[] = [];
  compare([schema], { own, peer, path: "", depth: 0 }, found);
  return found;
}

interface ComparedValues {
  readonly own: unknown;
  readonly peer: unknown;
  readonly path: string;
  readonly depth: number;
}

function compare(schemas: readonly TSchema[], place: ComparedValues, found: AnswerDifference[]): void {
  const { own, peer, path, depth } = place;
  if (found.length >= DIFFERENCES_MAX || depth > DEPTH_MAX) return;
  const choices = schemas.flatMap(choicesOf);
  const inside = (name: string | number, of: Pick<ComparedValues, "own" | "peer">): ComparedValues => ({
    ...of,
    path: `${path}/${name}`,
    depth: depth + 1,
  });
  const differ = () => found.push({ path, own: show(own), peer: show(peer) });
  if (Array.isArray(own) && Array.isArray(peer)) {
    if (own.length !== peer.length) return void differ();
    const items = choices.flatMap(({ items: one }) => (one ? [one as TSchema] : []));
    for (const [index, one] of own.entries()) compare(items, inside(index, { own: one, peer: peer[index] }), found);
  } else if (isRecord(own) && isRecord(peer)) {
    for (const name of Object.keys(own)) {
      if (OF_THE_MOMENT.test(name)) continue;
      const members = choices.flatMap((choice) => memberOf(choice, name));
      compare(members, inside(name, { own: own[name], peer: peer[name] }), found);
    }
  } else if (typeof own === "number" && typeof peer === "number") {
    if (Math.abs(own - peer) > unitOf(choices, own) * SLACK) differ();
  } else if (typeof own === "string" && typeof peer === "string") {
    // A sentence may be written by a model, and a time by the clock.
    const is_word = !own.includes(" ") && !peer.includes(" ") && Number.isNaN(Date.parse(own));
    if (is_word && own !== peer) differ();
  } else if (own !== peer) differ();
}

const choicesOf = (schema: TSchema): readonly TSchema[] =>
  Array.isArray(schema.anyOf) ? (schema.anyOf as readonly TSchema[]).flatMap(choicesOf) : [schema];

function memberOf({ properties, patternProperties }: TSchema, name: string): readonly TSchema[] {
  const named = (properties as Readonly<Record<string, TSchema>> | undefined)?.[name];
  return named ? [named] : (Object.values(patternProperties ?? {}) as readonly TSchema[]);
}

/** One unit of the last figure that a field is rounded to; 0 where it is not rounded. */
function unitOf(choices: readonly TSchema[], value: number): number {
  const units = choices.map(({ decimals, digits }) => {
    if (typeof decimals === "number") return 10 ** -decimals;
    if (typeof digits !== "number" || value === 0) return 0;
    return 10 ** (Math.floor(Math.log10(Math.abs(value))) + 1 - digits);
  });
  return Math.max(0, ...units);
}

const show = (value: unknown): string => (JSON.stringify(value) ?? "nothing").slice(0, SHOWN_CHARS);
