import { type Static, Type } from "@sinclair/typebox";
import { type EachRow, Whole } from "../../../catalog/rows.ts";
import { type Unusable, unusable } from "../../../catalog/unusable.ts";
import { compileSchema } from "../../../core/compile-schema.ts";

const COINS_MAX = 2_000;

/** Names of the coins, and beside them what is said of each, in the same order. */
export const Listed = Type.Tuple([
  Type.Object({ universe: Whole("columns", Type.Unknown(), { minItems: 1, maxItems: COINS_MAX }) }),
  Whole("columns", Type.Unknown(), { minItems: 1, maxItems: COINS_MAX }),
]);

const Named = compileSchema(
  Type.Object({ name: Type.String({ minLength: 1 }), isDelisted: Type.Optional(Type.Boolean()) }),
);

/** A coin, and its entry as it came: those of delisted coins hold nulls. */
export interface ListedCoin {
  readonly name: string;
  readonly is_delisted: boolean;
  readonly entry: unknown;
}

/** The coins with their entries, or why they cannot be told. A coin without a name is left out with its entry. */
export function readListed([{ universe }, entries]: Static<typeof Listed>, eachRow: EachRow): ListedCoin[] | Unusable {
  if (universe.length !== entries.length) return unusable("names and entries do not match");
  return eachRow(universe, (coin, index) =>
    Named.Check(coin)
      ? { name: coin.name, is_delisted: coin.isDelisted === true, entry: entries[index] }
      : unusable("a coin without a name"),
  );
}
