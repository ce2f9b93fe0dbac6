import { Type } from "@sinclair/typebox";
import { type FetchContext, parseNumber, Rows, type Unusable, unusable } from "intel-node";
import { ibge } from "./provider.ts";

/** Crops of the monthly survey (LSPA) by their category of classification 48. */
export const CROPS = {
  soy: 39_443,
  corn_first: 39_441,
  corn_second: 39_442,
  wheat: 39_445,
  rice: 39_432,
  coffee: 40_527,
  sugar_cane: 39_456,
} as const;
export type Crop = keyof typeof CROPS;

/** One crop's estimate of one month's survey. */
export interface CropEstimate {
  readonly crop: Crop;
  /** YYYYMM of the survey. */
  readonly period: string;
  /** Tonnes, or hectares, by what was asked. */
  readonly value: number;
}

const PRODUCTION = 35;
const AREA = 109;
/** How the last line of a table's heading names the column of the survey's month and of the crop. */
const [MONTH_HEADING, CROP_HEADING] = [/^M[êe]s \(C[óo]digo\)$/i, /^Produto.* \(C[óo]digo\)$/i];

/** More than all crops of the world. */
const TONNES_MAX = 1e11;
const Answer = Rows(Type.Record(Type.String(), Type.String()), { minItems: 2 });

/**
 * Production (t) or planted area (ha) of the crops in the newest surveys. The first row of the answer is its heading,
 * which states the key of each dimension.
 * @throws UpstreamError
 */
export function fetchCrop(
  context: Pick<FetchContext, "get">,
  what: "production" | "area",
  surveys: number,
): Promise<readonly CropEstimate[]> {
  const variable = what === "production" ? PRODUCTION : AREA;
  return context.get(ibge, {
    host: "sidra",
    path: `/values/t/6588/n1/all/v/${variable}/p/last%20${surveys}/c48/${Object.values(CROPS).join(",")}`,
    schema: Answer,
    ttl_ms: 0,
    read([heading = {}, ...rows], _, eachRow) {
      const keyOf = (pattern: RegExp) => Object.keys(heading).find((key) => pattern.test(heading[key] ?? ""));
      const [month_key, crop_key] = [keyOf(MONTH_HEADING), keyOf(CROP_HEADING)];
      if (month_key === undefined || crop_key === undefined)
        return unusable("its heading names neither month nor crop");
      const found = eachRow(rows, (row): readonly CropEstimate[] | Unusable => {
        const [crop] = Object.entries(CROPS).find(([, code]) => String(code) === row[crop_key]) ?? [];
        const period = row[month_key] ?? "";
        // Here a dash is a true zero.
        const value = row.V === "-" ? 0 : parseNumber(row.V ?? "", { locale: "en" });
        if (!crop || !/^\d{6}$/.test(period) || value === undefined) return unusable("a row cannot be read");
        if (row.V === undefined || row.V === "") return unusable("no value");
        if (value !== null && (value < 0 || value > TONNES_MAX)) return unusable("no crop is of that size");
        return value === null ? [] : [{ crop: crop as Crop, period, value }];
      }).flat();
      return found.length === 0 ? unusable("it holds no estimate") : found;
    },
  });
}
