import { Type } from "@sinclair/typebox";
import { closed } from "../core/schema-fields.ts";
import { Duration, Flag, Share, USD_PATTERN } from "./schema-parts.ts";

/** `[limits]`: what one caller may ask for, and what is worked on at once. */
export const Limits = Type.Object(
  {
    enabled: Flag(true, "false switches rate limits off"),
    free_per_minute: Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      default: 120,
      description: "free and unpaid requests per address and minute",
    }),
    key_per_minute: Type.Integer({
      minimum: 1,
      maximum: 100_000_000,
      default: 6_000,
      description: "calls per balance key and minute; passes have no limit",
    }),
    key_calls_at_once: Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      default: 256,
      description: "calls of one key, passes too, that may be under way at the same time",
    }),
    signature_checks_per_minute: Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      default: 60,
      description: "payments per address and minute whose signature is not the payer's",
    }),
    unpaid_work_per_minute: Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      default: 30,
      description:
        "answers a payer or key may have a minute that end without a charge; slow and dear ones count more; " +
        "an address may have 4 times as many, all who never bought 40 times",
    }),
    unpaid_unit_time: Duration("1s", "a call that ends without a charge counts as one more for each such time it took"),
    unpaid_unit_price: Type.String({
      pattern: USD_PATTERN,
      default: "0.05",
      description: "and as one more for each such part of its price, USD: dear answers cost more to make",
      expects: 'a USD amount such as "0.05"',
    }),
    loopback_exempt: Flag(false, "true leaves loopback unlimited; behind a proxy set trusted_proxies instead"),
    produce_slots: Type.Integer({
      minimum: 1,
      maximum: 10_000,
      default: 64,
      description: "paid calls worked on at once",
    }),
    payer_slots: Type.Integer({
      minimum: 1,
      maximum: 10_000,
      default: 4,
      description: "of these, calls of one payer, key or pass that have to be worked on; kept answers never wait",
    }),
    shares: Type.Object(
      {
        background: Share(1, "previews"),
        standard: Share(4, "calls paid one by one, balances and passes"),
        pro: Share(8, "priority pro"),
        max: Share(16, "priority max"),
        dedicated: Share(16, "priority dedicated"),
        dedicated_slots: Type.Number({
          minimum: 0,
          maximum: 0.9,
          default: 0.1,
          description: "part of produce_slots that only priority dedicated may use",
        }),
      },
      { ...closed, description: "who is served in which proportion while calls wait" },
    ),
  },
  { ...closed, description: "limits" },
);
