import { getOwn } from "../core/own.ts";
import { createParam, type ParamOptions, type StandardParam } from "./parameter.ts";

/** ISO 3166-1 alpha-2, the 249 that are assigned. */
const CODES =
  "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA " +
  "CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA " +
  "GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP " +
  "KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS " +
  "MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS " +
  "RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW " +
  "TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW";

export const COUNTRIES: readonly string[] = CODES.split(" ");
/** Codes that are reserved for a country whose code is another. */
const RESERVED: Readonly<Record<string, string>> = { UK: "GB", EL: "GR" };

export interface CountryParamOptions<C extends string> extends ParamOptions {
  /** The countries that are taken; without them all. */
  readonly allowed?: readonly C[];
}

/** A country by its code of two letters. */
export function countryParam<C extends string>(options: CountryParamOptions<C>): StandardParam<C> {
  // Every code is one of C where none is named.
  const allowed = options.allowed ?? (COUNTRIES as readonly C[]);
  return createParam<C>({
    name: "country",
    ...options,
    forms: "A code of ISO 3166-1 with two letters, in any case.",
    chars_max: 2,
    read(text) {
      const code = text.toUpperCase();
      return allowed.find((one) => one === (getOwn(RESERVED, code) ?? code)) ?? null;
    },
    wants: options.allowed
      ? `must be one of ${options.allowed.join(", ")}`
      : "must be a country's code of two letters (ISO 3166-1), such as BR",
    allowed: options.allowed,
  });
}
