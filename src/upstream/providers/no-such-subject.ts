import { type TSchema, Type } from "@sinclair/typebox";
import type { ErrorForm } from "../../catalog/request.ts";
import { Whole } from "../../catalog/rows.ts";

/** A body that means so whether it comes with status 200 or as an error. */
const notFound = (schema: TSchema): readonly ErrorForm[] => [
  { status: 200, schema, means: "not_found" },
  { schema, means: "not_found" },
];

/**
 * The venues' own error messages for an unknown pair, for their `errors`: an answer, not a failure of the venue. Venues
 * that only send status 404 need no entry. The test beside this file has the bytes really sent.
 */
export const NO_SUCH_PAIR = {
  binance: notFound(Type.Object({ code: Type.Literal(-1121) })),
  bybit: notFound(
    Type.Object({
      retCode: Type.Literal(10_001),
      // The code says no more than "a parameter is wrong".
      retMsg: Type.String({ pattern: "[Nn]ot supported symbol|[Ss]ymbol ([Ii]s )?[Ii]nvalid" }),
    }),
  ),
  cryptocom: notFound(
    Type.Object({ code: Type.Literal(40_004), message: Type.String({ pattern: "^Invalid instrument_name" }) }),
  ),
  deribit: notFound(
    Type.Object({
      error: Type.Object({ code: Type.Literal(-32_602), data: Type.Object({ param: Type.Literal("currency") }) }),
    }),
  ),
  gemini: notFound(Type.Object({ reason: Type.Literal("InvalidSymbol") })),
  kraken: notFound(Type.Object({ error: Whole("one", Type.Literal("EQuery:Unknown asset pair"), { minItems: 1 }) })),
  okx: notFound(Type.Object({ code: Type.Literal("51001") })),
} as const;
