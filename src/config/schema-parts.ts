import { Type } from "@sinclair/typebox";
import { DURATION_PATTERN } from "../core/duration.ts";

/** What the tables of the configuration are made of. */
export const Duration = (value: string, description: string) =>
  Type.String({ pattern: DURATION_PATTERN, default: value, description, expects: 'a duration such as "15m"' });
export const USD_PATTERN = "^(0|[1-9][0-9]{0,11})(\\.[0-9]{1,6})?$";
export const Price = (description: string) =>
  Type.String({ pattern: USD_PATTERN, description, expects: 'a USD amount such as "0.01"', example: "0.01" });
export const Flag = (value: boolean, description: string) => Type.Boolean({ default: value, description });
export const Share = (value: number, description: string) =>
  Type.Integer({ minimum: 1, maximum: 1_000, default: value, description });
export const TextList = (description: string, example: readonly string[] = []) =>
  Type.Array(Type.String({ maxLength: 500 }), { default: [], maxItems: 100, description, example });
/** Networks by the names of their `[wallets]` tables. */
export const WalletList = (description: string) =>
  Type.Array(Type.Union([Type.Literal("base"), Type.Literal("solana"), Type.Literal("algorand")]), {
    default: [],
    maxItems: 3,
    description,
  });
export const Address = (pattern: string, expects: string, example: string) =>
  Type.String({ pattern, expects, example, description: `receiving address (${expects}); no address = not offered` });
export const Url = (description: string, example: string) =>
  Type.String({ pattern: "^https?://[^\\s/]+", maxLength: 500, description, example, expects: "an http(s) address" });

export const Coins = (description: string, example: string) =>
  Type.String({
    pattern: "^(0|[1-9][0-9]{0,11})(\\.[0-9]{1,18})?$",
    description,
    example,
    expects: 'an amount such as "0.001"',
  });
