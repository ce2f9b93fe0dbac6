import { Type } from "@sinclair/typebox";
import { defineSeries } from "intel-node";

/** What the job `earnings-calendar` expects of every company of the universe. */
export const earningsCalendar = defineSeries({
  name: "equities/earnings-calendar",
  value: Type.Object({
    size: Type.Integer({ minimum: 1 }),
    reports: Type.Array(
      Type.Object({
        symbol: Type.String(),
        company: Type.String(),
        date: Type.String(),
        hour: Type.Union([Type.Literal("bmo"), Type.Literal("amc"), Type.Literal("during")]),
        eps_expected: Type.Union([Type.Number(), Type.Null()]),
      }),
    ),
  }),
  keep: "newest",
  storage: "disposable",
  cited: true,
});
