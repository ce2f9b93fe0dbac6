import { Type } from "@sinclair/typebox";
import { defineFreeRoute } from "intel-node";
import { drawBadge } from "../x402-audit/badge.ts";
import { BADGE_PATH, readReport } from "../x402-audit/report.ts";

const params = Type.Object(
  {
    report: Type.Optional(
      Type.String({
        maxLength: 4_000,
        pattern: "^[A-Za-z0-9_.-]+$",
        description: "A signed report of /x402-audit, as its badge_url holds it.",
      }),
    ),
  },
  { additionalProperties: false },
);

export const route = defineFreeRoute({
  path: BADGE_PATH,
  summary: "The verdict of a report of /x402-audit with its date, as a picture",
  params,
  ttl: "1h",
  is_svg: true,
  answer: async ({ now_ms, signer }, { report }) => ({
    svg: drawBadge(report === undefined ? null : readReport(report, signer.public_key), now_ms),
  }),
});
