import { Type } from "@sinclair/typebox";
import { closed, compileSchema, getOwn, NodeError } from "intel-node";
import { toTicker } from "../oracle/symbol.ts";

export interface HeldPosition {
  /** Ticker, such as "BTC". */
  readonly asset: string;
  /** Below 0 when sold short; never 0. */
  readonly quantity: number;
}

const POSITIONS_MAX = 50;
const QUANTITY_MAX = 1e15;
/** Less is worth nothing at any price, and its shares and percentages are not numbers. */
const QUANTITY_MIN = 1e-12;
export const POSITIONS_CHARS_MAX = 16_384;

const ALLOWED = `1 to ${POSITIONS_MAX} items such as {"asset":"BTC","quantity":0.5}`;
const DECIMAL = "^-?(0|[1-9][0-9]{0,15})(\\.[0-9]{1,18})?$";
const TICKER = /^[A-Z0-9]{1,15}$/;

const Items = compileSchema(
  Type.Array(
    Type.Object(
      {
        asset: Type.String({ minLength: 1, maxLength: 24 }),
        quantity: Type.Union([Type.Number(), Type.String({ pattern: DECIMAL })]),
      },
      closed,
    ),
    { minItems: 1, maxItems: POSITIONS_MAX },
  ),
);

const refuse = (why: string, got: unknown, nearest?: string): NodeError =>
  new NodeError("invalid_parameter", `Parameter "positions" ${why}.`, {
    param: "positions",
    details: {
      parameter: "positions",
      got: String(got).slice(0, 100),
      allowed: ALLOWED,
      ...(nearest === undefined ? {} : { nearest }),
    },
  });

function parseJSON(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const nearest = readWords(text);
    throw new NodeError("invalid_parameter", 'Parameter "positions" is not JSON.', {
      param: "positions",
      details: {
        parameter: "positions",
        got: text.slice(0, 100),
        allowed: ALLOWED,
        ...(nearest === undefined ? {} : { nearest }),
      },
      cause: error,
    });
  }
}

/** What people call the two members, in English and Portuguese. */
const OTHER_NAMES: Readonly<Record<string, "asset" | "quantity">> = {
  symbol: "asset",
  ticker: "asset",
  coin: "asset",
  token: "asset",
  name: "asset",
  ativo: "asset",
  moeda: "asset",
  shares: "quantity",
  amount: "quantity",
  qty: "quantity",
  size: "quantity",
  units: "quantity",
  balance: "quantity",
  quantidade: "quantity",
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The refusal of a list that does not fit, with the list as it was probably meant. */
function refuseItems(items: unknown, text: string): NodeError {
  const list = Array.isArray(items) ? items : [items];
  const renamed = new Set<string>();
  const meant = list.map((item: unknown) => {
    if (!isObject(item)) return item;
    const members = Object.entries(item).map(([name, value]) => {
      const known = getOwn(OTHER_NAMES, name.toLowerCase());
      if (known !== undefined) renamed.add(`"${name}" is "${known}"`);
      return [known ?? name, value] as const;
    });
    return Object.fromEntries(members);
  });
  const fault = Items.Errors(items).First();
  const why = renamed.size > 0 ? `: ${[...renamed].join(", ")} here` : `: ${fault?.path || "the list"} does not fit`;
  return refuse(`is not ${ALLOWED}${why}`, text, Items.Check(meant) ? JSON.stringify(meant) : undefined);
}

/** Words such as "BTC:0.5, ETH:4" or "0.5 BTC", as the list they mean; undefined for any other text. */
function readWords(text: string): string | undefined {
  const items = text.split(/[,;\n]+/).map((part) => {
    const found = /^\s*(?:([A-Za-z]{2,12})\s*[:= ]\s*([0-9.]+)|([0-9.]+)\s*([A-Za-z]{2,12}))\s*$/.exec(part);
    const [asset, quantity] = [found?.[1] ?? found?.[4], Number(found?.[2] ?? found?.[3])];
    return asset === undefined ? null : { asset: asset.toUpperCase(), quantity };
  });
  return Items.Check(items) ? JSON.stringify(items) : undefined;
}

/**
 * Reads positions from JSON text. Those of one asset are added up, in the order in which assets first appear.
 * @throws NodeError invalid_parameter when it is not a list of assets and quantities, or when positions cancel out.
 */
export function parsePositions(text: string): HeldPosition[] {
  const items = parseJSON(text);
  if (!Items.Check(items)) throw refuseItems(items, text);
  const quantities = new Map<string, number>();
  for (const { asset, quantity } of items) {
    const ticker = toTicker(asset);
    if (!TICKER.test(ticker)) throw refuse("names an asset that is not a ticker", asset);
    const amount = Number(quantity);
    const size = Math.abs(amount);
    if (!(size >= QUANTITY_MIN && size <= QUANTITY_MAX)) throw refuse("holds a quantity that cannot be", quantity);
    quantities.set(ticker, (quantities.get(ticker) ?? 0) + amount);
  }
  for (const [asset, quantity] of quantities) {
    // The rest of 0.1 + 0.2 - 0.3 is not one either.
    if (Math.abs(quantity) < QUANTITY_MIN) throw refuse("holds positions that cancel out", asset);
  }
  return [...quantities].map(([asset, quantity]) => ({ asset, quantity }));
}

/** The one text of equal positions. */
export const renderPositions = (positions: readonly HeldPosition[]): string =>
  JSON.stringify(positions.map(({ asset, quantity }) => ({ asset, quantity })));

/** What the free preview shows. */
export const DEMO_POSITIONS: readonly HeldPosition[] = [
  { asset: "BTC", quantity: 0.5 },
  { asset: "ETH", quantity: 4 },
  { asset: "SOL", quantity: 50 },
];
