import { Type } from "@sinclair/typebox";

/** The operator's settings of currencies: `[plugins.fx]`. */
export const config = Type.Object({
  fee_bps_per_leg: Type.Number({
    default: 2,
    minimum: 0,
    maximum: 100,
    description: "what each conversion of a loop is taken to cost, basis points",
  }),
  min_net_bps: Type.Number({
    default: 1,
    minimum: 0,
    maximum: 1_000,
    description: "from which net result on a loop is called an opportunity, basis points",
  }),
});
