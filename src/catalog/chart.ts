import { type Static, type TSchema, Type } from "@sinclair/typebox";
import type { ValueError } from "@sinclair/typebox/errors";
import { compileSchema } from "../core/compile-schema.ts";
import { roundToDigits } from "../core/rounding.ts";
import { closed } from "../core/schema-fields.ts";
import { renderChoice } from "./option-rules.ts";

/** A product page shows and stores few enough charts to be read at a glance. */
const CHARTS_MAX = 4;
const LINES_MAX = 4;
const POINTS_MAX = 1_000;
const BANDS_MAX = 200;
const LABELS_MAX = 20;

const Title = Type.String({ minLength: 1, maxLength: 80 });
const Name = Type.String({ minLength: 1, maxLength: 32 });
const About = Type.String({ maxLength: 300 });
const Time = Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000 });
const Value = Type.Union([Type.Number(), Type.Null()]);

const Unit = Type.Union([Type.Literal("usd"), Type.Literal("percent"), Type.Literal("number")]);

const Line = Type.Object(
  { name: Name, points: Type.Array(Type.Tuple([Time, Value]), { maxItems: POINTS_MAX }) },
  closed,
);

const Band = Type.Object(
  {
    name: Name,
    tone: Type.Union([Type.Literal("good"), Type.Literal("neutral"), Type.Literal("bad")]),
    from_ms: Time,
    to_ms: Time,
  },
  closed,
);

const TimeChartSchema = Type.Object(
  {
    kind: Type.Literal("time"),
    title: Title,
    about: About,
    unit: Unit,
    step_ms: Type.Integer({ minimum: 1 }),
    lines: Type.Array(Line, { minItems: 1, maxItems: LINES_MAX }),
    bands: Type.Optional(Type.Array(Band, { maxItems: BANDS_MAX })),
    filled: Type.Optional(Type.Boolean()),
  },
  closed,
);

const Cell = Type.Union([Type.Number({ minimum: -1, maximum: 1 }), Type.Null()]);

const HeatMapSchema = Type.Object(
  {
    kind: Type.Literal("heat_map"),
    title: Title,
    about: About,
    labels: Type.Array(Name, { minItems: 1, maxItems: LABELS_MAX }),
    cells: Type.Array(Type.Array(Cell, { maxItems: LABELS_MAX }), { maxItems: LABELS_MAX }),
  },
  closed,
);

const BarsSchema = Type.Object(
  {
    kind: Type.Literal("bars"),
    title: Title,
    about: About,
    unit: Unit,
    bars: Type.Array(Type.Object({ name: Name, value: Type.Number() }, closed), {
      minItems: 1,
      maxItems: LABELS_MAX,
    }),
  },
  closed,
);

/**
 * Lines over time, oldest point first. A value of null is a gap, and so is a distance of more than 1.5 x `step_ms`
 * between two points: nothing is drawn where nothing is known. `bands` colour stretches of time; `filled` fills the
 * first line down (or up) to 0.
 */
export type TimeChart = Static<typeof TimeChartSchema>;
/** One line of a chart over time. */
export type ChartLine = Static<typeof Line>;
/** The area between two lines of a chart over time. */
export type ChartBand = Static<typeof Band>;

/** A square table of values from -1 to 1; null for a missing value. Rows and columns in the order of `labels`. */
export type HeatMap = Static<typeof HeatMapSchema>;

/**
 * Amounts of things, one below the other in the order given: steps of a funnel, rows of a table. Negative values are
 * drawn on the other side of the axis.
 */
export type Bars = Static<typeof BarsSchema>;

/** A picture of a product's data, as data: pages draw it, and the product that declares it needs to know no drawing. */
export type Chart = TimeChart | HeatMap | Bars;

const SCHEMAS = { time: TimeChartSchema, heat_map: HeatMapSchema, bars: BarsSchema } as const;

const charts_check = compileSchema(Type.Array(Type.Union(Object.values(SCHEMAS)), { maxItems: CHARTS_MAX }));

const isKind = (kind: unknown): kind is keyof typeof SCHEMAS =>
  typeof kind === "string" && Object.hasOwn(SCHEMAS, kind);

/** "/lines/0/name" as the program text says it: ".lines[0].name". */
const renderPath = (path: string): string =>
  path.replaceAll(/\/([^/]+)/g, (_, name: string) => (/^[0-9]+$/.test(name) ? `[${name}]` : `.${name}`));

/** Why a value is not a list of charts: the field, and what is allowed. */
function explain(value: unknown): string {
  if (!Array.isArray(value)) return "charts must be a list";
  if (value.length > CHARTS_MAX) return `charts: at most ${CHARTS_MAX}, there are ${value.length}`;
  for (const [index, chart] of value.entries()) {
    const kind: unknown = chart?.kind;
    const kinds = renderChoice(Object.keys(SCHEMAS));
    if (!isKind(kind)) return `charts[${index}].kind must be ${kinds}: it is ${renderValue(kind)}`;
    const fault = compileSchema(SCHEMAS[kind]).Errors(chart).First();
    if (fault) return `charts[${index}]${renderPath(fault.path)} ${explainField(fault)}`;
  }
  return "charts do not match their schema";
}

/** One field's fault, in words. */
function explainField({ schema, value, message }: ValueError): string {
  if (message === "Unexpected property") return "is not known";
  if (value === undefined) return "is missing";
  const choice = listChoice(schema);
  const must = choice.length > 0 ? `must be ${renderChoice(choice)}` : `is refused: ${message}`;
  return `${must}: it is ${renderValue(value)}`;
}

const listChoice = ({ anyOf = [] }: TSchema): readonly string[] =>
  (anyOf as readonly TSchema[]).flatMap((one) => (typeof one.const === "string" ? [one.const] : []));

const SHOWN_CHARS_MAX = 60;
const renderValue = (value: unknown): string =>
  (typeof value === "number" ? String(value) : (JSON.stringify(value) ?? "left out")).slice(0, SHOWN_CHARS_MAX);

function findFault(charts: readonly Chart[]): string | null {
  for (const chart of charts) {
    if (chart.kind === "bars") continue;
    if (chart.kind === "heat_map") {
      const side = chart.labels.length;
      if (chart.cells.length !== side || chart.cells.some((row) => row.length !== side)) {
        return `"${chart.title}" has ${side} labels but is not ${side} x ${side} cells`;
      }
      continue;
    }
    for (const { name, points } of chart.lines) {
      const is_sorted = points.every(([at_ms], index) => index === 0 || at_ms > (points[index - 1]?.[0] ?? at_ms));
      if (!is_sorted) return `the points of "${name}" are not in the order of time`;
    }
    if (chart.bands?.some(({ from_ms, to_ms }) => to_ms < from_ms)) return `a band of "${chart.title}" ends early`;
  }
  return null;
}

/**
 * The charts in the value that a product returned or a snapshot stored.
 * @throws Error naming the first fault.
 */
export function parseCharts(value: unknown): readonly Chart[] {
  if (!charts_check.Check(value)) {
    throw new Error(explain(value));
  }
  const fault = findFault(value);
  if (fault !== null) throw new Error(`charts: ${fault}`);
  return value;
}

/** More than any picture tells apart. */
const VALUE_DIGITS = 8;
const roundValue = (value: number | null): number | null =>
  value === null ? null : roundToDigits(value, VALUE_DIGITS);

/** Products draw in full precision: the values of all charts are rounded here. */
export const roundCharts = (charts: readonly Chart[]): readonly Chart[] => charts.map(roundChart);

function roundChart(chart: Chart): Chart {
  if (chart.kind === "bars") {
    return { ...chart, bars: chart.bars.map((bar) => ({ ...bar, value: roundToDigits(bar.value, VALUE_DIGITS) })) };
  }
  if (chart.kind === "heat_map") return { ...chart, cells: chart.cells.map((row) => row.map(roundValue)) };
  const lines = chart.lines.map((line) => {
    const points = line.points.map(([at_ms, value]): [number, number | null] => [at_ms, roundValue(value)]);
    return { ...line, points };
  });
  return { ...chart, lines };
}
