import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { compileSchema } from "../core/compile-schema.ts";
import { getOwn } from "../core/own.ts";
import type { TrackPayload } from "./track-form.ts";

const Amount = Type.Union([Type.Number(), Type.Null()]);
const Group = Type.Object({ n: Type.Number(), wins: Type.Number() });
/** Unsigned figures about the same records as the signed ones. */
const WholeWindow = Type.Object({
  window: Type.Literal("all"),
  n_emitted: Type.Number(),
  n_open: Type.Number(),
  n_unscorable: Type.Number(),
  n_scored: Type.Number(),
  wins: Type.Number(),
  win_rate: Amount,
  win_rate_lo95: Amount,
  win_rate_hi95: Amount,
  avg_net_bps: Amount,
  median_net_bps: Amount,
  sum_net_bps: Amount,
  profit_factor: Amount,
  always_long_hits: Type.Number(),
  p_value_vs_half: Amount,
});
const Groups = Type.Array(Group);
const Beside = Type.Object({ windows: Type.Array(Type.Unknown()) });
/** The further members of a statement, besides those that all statements have. */
const Derived = Type.Object({
  win_rate: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  hit_rate: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  avg_net_bps: Type.Optional(Type.Union([Type.String(), Type.Null()])),
});

const createReader = <S extends TSchema>(schema: S) => {
  const check = compileSchema(schema);
  return (value: unknown): Static<S> | null => (check.Check(value) ? value : null);
};
const readWindow = createReader(WholeWindow);
const readGroups = createReader(Groups);
const readBeside = createReader(Beside);
const readDerived = createReader(Derived);

/** Half a unit of the last decimal of an unsigned figure, with a little more for floating point. */
const DECIMALS: Readonly<Record<string, number>> = {
  win_rate: 1e-4,
  win_rate_lo95: 1e-4,
  win_rate_hi95: 1e-4,
  p_value_vs_half: 1e-4,
  avg_net_bps: 0.06,
  median_net_bps: 0.06,
  sum_net_bps: 0.06,
  profit_factor: 0.01,
};
const GROUPS = ["by_symbol", "by_side", "by_bucket"] as const;

/** The contradiction of an answer with the signed figures, or among these; null without one. */
export function findContradiction(payload: TrackPayload, unsigned: unknown): string | null {
  return contradictsItself(payload) ?? contradictsWindow(payload, unsigned) ?? contradictsGroups(payload, unsigned);
}

function contradictsItself(payload: TrackPayload): string | null {
  const { n_scored, wins, n_emitted, n_open, n_unscorable, sum_net_bps, chain_length } = payload;
  if (wins > n_scored) return `${wins} hits of ${n_scored}`;
  if (n_scored > chain_length) return `${n_scored} graded records of ${chain_length}`;
  if (n_emitted !== undefined && n_open !== undefined && n_unscorable !== undefined) {
    if (n_emitted !== n_scored + n_open + n_unscorable) return `${n_emitted} records are not the sum of their kinds`;
  }
  const derived = readDerived(payload);
  const rate = derived?.win_rate ?? derived?.hit_rate ?? null;
  if (rate !== null && rate !== (wins / n_scored).toFixed(4)) return `${wins} of ${n_scored} is not ${rate}`;
  const mean = derived?.avg_net_bps ?? null;
  if (mean !== null && Math.abs(Number(mean) - Number(sum_net_bps) / n_scored) > 0.1) {
    return `a sum of ${sum_net_bps} over ${n_scored} is not ${mean} each`;
  }
  return null;
}

/** The window over all records must equal the signed figures. */
function contradictsWindow(payload: TrackPayload, unsigned: unknown): string | null {
  const beside = readBeside(unsigned);
  const whole = beside?.windows.map(readWindow).find((one) => one !== null);
  if (!whole) return beside === null ? null : "the window over all of it is missing, or of another form";
  const signed: Readonly<Record<string, unknown>> = payload;
  for (const [name, value] of Object.entries(whole)) {
    const other = signed[name];
    if (name === "window" || other === undefined) continue;
    const is_same =
      other === null || value === null
        ? other === value
        : Math.abs(Number(other) - Number(value)) <= (getOwn(DECIMALS, name) ?? 0);
    if (!is_same) return `windows: ${name} is shown as ${value}, signed as ${other}`;
  }
  return null;
}

/** Groups of the same records must add up to the signed figures. */
function contradictsGroups({ n_scored, wins }: TrackPayload, unsigned: unknown): string | null {
  if (typeof unsigned !== "object" || unsigned === null) return null;
  for (const name of GROUPS) {
    if (!(name in unsigned)) continue;
    const groups = readGroups((unsigned as Record<string, unknown>)[name]);
    if (groups === null) return `${name} is of another form`;
    const n = groups.reduce((total, group) => total + group.n, 0);
    const hits = groups.reduce((total, group) => total + group.wins, 0);
    if (n !== n_scored || hits !== wins) return `${name} adds up to ${hits} of ${n}, ${wins} of ${n_scored} are signed`;
  }
  return null;
}
