import { defineProduct, exampleOf } from "intel-node";
import { b3Files } from "../providers/b3-files/provider.ts";
import { b3Reports } from "../providers/b3-reports/provider.ts";
import { bcbOlinda } from "../providers/bcb-olinda/provider.ts";
import { bcbSGS } from "../providers/bcb-sgs/provider.ts";
import { tesouro } from "../providers/tesouro/provider.ts";
import { drawCurve } from "./charts.ts";
import { computeCurve } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { fetchCurve } from "./fetch.ts";
import { gist } from "./gist.ts";
import { type CurveData, CurveParams, CurveSchema, FUTURES } from "./schema.ts";

const SHOWN = ["3m", "1y", "5y", "10y"];

/** Four nominal rates; all else is what is sold. */
const redact = (data: CurveData): CurveData => ({
  ...data,
  curve: data.curve
    .filter(({ tenor }) => SHOWN.includes(tenor))
    .map((point) => ({
      ...point,
      real: null,
      real_gap_du: null,
      breakeven: null,
      change_1d_bps: null,
      change_5d_bps: null,
      change_21d_bps: null,
    })),
  futures: null,
  forwards: { f3m3m: null, f1y1y: null, f2y1y: null, f5y5y: null, real_5y5y: null, breakeven_5y5y: null },
  pca_like: { level_21d: null, slope_21d: null, curvature_21d: null },
  nss: { nominal: null, real: null },
  implied_before_next_meeting: null,
  copom_path: null,
  focus_gap_bps: null,
});

const example = exampleOf({}, made);

export const product = defineProduct({
  path: "/br-curve",
  title: "Brazilian yield curve",
  description:
    "Brazil's nominal and real yield curve from B3's DI1 and DAP settlements, on 12 terms to 14 years, base 252: " +
    "breakeven inflation, forwards, slopes, changes over 1, 5 and 21 days, the policy path the futures imply against " +
    "the central bank's survey, each future with PU and DV01, Svensson parameters. Computed from public prices, " +
    "not official.",
  category: "brazil",
  tags: ["brazil", "rates", "yield-curve", "inflation", "selic"],
  search: [
    "Copom",
    "CDI",
    "interest rates in Brazil",
    "what will the Copom do",
    "next Copom decision",
    "Brazil interest rate curve",
    "DI futures",
    "DI1 DAP",
    "juros futuros",
    "curva de juros",
    "curva DI",
    "taxa de juros futura",
    "breakeven inflation",
    "inflação implícita",
    "NTN-B",
    "Selic path",
    "o que o Copom vai fazer",
    "trajetória da Selic",
  ],
  price_usd: "0.05",
  params: CurveParams,
  data: CurveSchema,
  long: ["futures"],
  example,
  gist,
  providers: [b3Files, b3Reports, bcbSGS, bcbOlinda, tesouro],
  requires: [[b3Files, b3Reports, tesouro]],
  ttl: "5m",
  deadline_ms: 10_000,
  preview: { every: "24h", delay: "24h", redact, charts: drawCurve },
  fetch: fetchCurve,
  compute: (inputs, { params: { futures = FUTURES.default } }) => computeCurve(inputs, { futures }),
});
