import type { TSchema } from "@sinclair/typebox";

/** One difference between two answers of the same product. */
export interface AnswerDifference {
  readonly path: string;
  readonly own: string;
  readonly peer: string;
}

const DIFFERENCES_MAX = 5;
const SHOWN_CHARS = 60;
const DEPTH_MAX = 12;
/** Tolerated units of the last digit, because two honest nodes may round a figure in between differently. */
const SLACK = 1.000001;
/** Fields that differ between two honest nodes because of their clocks or networks. */
const OF_THE_MOMENT = /(^|_)(at|ago|age|now|time|since|until|expires|latency|took|elapsed|id|node|url|ms|s)$/;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * The differences between a peer's data and this node's own beyond the product's rounding: in a number more than one
 * unit of the last digit of its schema (any difference without rounding), in the length of a list, in a word or flag.
 * Fields whose names show that they depend on the time or the node are not compared, nor texts longer than a word.
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
    // A sentence may come from a model, and a time from the clock.
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

/** One unit of the last digit to which a field is rounded; 0 for a field that is not rounded. */
function unitOf(choices: readonly TSchema[], value: number): number {
  const units = choices.map(({ decimals, digits }) => {
    if (typeof decimals === "number") return 10 ** -decimals;
    if (typeof digits !== "number" || value === 0) return 0;
    return 10 ** (Math.floor(Math.log10(Math.abs(value))) + 1 - digits);
  });
  return Math.max(0, ...units);
}

const show = (value: unknown): string => (JSON.stringify(value) ?? "nothing").slice(0, SHOWN_CHARS);
