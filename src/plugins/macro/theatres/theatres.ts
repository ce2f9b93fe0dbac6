/**
 * Regions by the country codes of GDELT: FIPS 10-4, which is not ISO (UP is Ukraine, GM Germany, CH China, SU Sudan).
 * `places` are words of headlines about it.
 */
export const THEATRES = {
  "Ukraine/Russia": {
    codes: ["UP", "RS", "BO", "MD"],
    places: ["ukraine", "ukrainian", "kyiv", "russia", "russian", "moscow", "kremlin", "belarus", "moldova", "crimea"],
  },
  Levant: {
    codes: ["IS", "GZ", "WE", "LE", "SY", "JO"],
    places: ["israel", "israeli", "gaza", "west bank", "lebanon", "hezbollah", "syria", "jordan", "hamas"],
  },
  "Gulf/Iran/Red Sea": {
    codes: ["IR", "IZ", "SA", "KU", "QA", "AE", "BA", "MU", "YM", "DJ", "ER"],
    places: ["iran", "tehran", "iraq", "saudi", "kuwait", "qatar", "emirates", "yemen", "houthi", "red sea", "hormuz"],
  },
  "Taiwan Strait/China": {
    codes: ["TW", "CH"],
    places: ["taiwan", "china", "chinese", "beijing", "taipei", "hong kong"],
  },
  "Koreas/Japan": {
    codes: ["KN", "KS", "JA"],
    places: ["north korea", "south korea", "korea", "pyongyang", "seoul", "japan", "tokyo"],
  },
  "South Asia": {
    codes: ["IN", "PK", "AF", "BG", "CE"],
    places: ["india", "indian", "pakistan", "kashmir", "afghanistan", "taliban", "bangladesh", "sri lanka"],
  },
  "South China Sea/ASEAN": {
    codes: ["RP", "VM", "MY", "ID", "TH", "BM"],
    places: ["south china sea", "philippines", "vietnam", "malaysia", "indonesia", "thailand", "myanmar"],
  },
  "Sahel/Horn/Central Africa": {
    codes: ["SU", "OD", "ET", "SO", "ML", "NG", "UV", "CD", "NI", "CG", "LY"],
    places: ["sudan", "ethiopia", "somalia", "mali", "niger", "burkina faso", "chad", "nigeria", "congo", "libya"],
  },
  "Latin America": {
    codes: ["VE", "CO", "MX", "HA", "CU", "BR", "EC", "PE"],
    places: ["venezuela", "colombia", "mexico", "haiti", "cuba", "brazil", "ecuador", "peru"],
  },
  "NATO core": {
    codes: ["US", "CA", "UK", "FR", "GM", "PL", "RO", "EN", "LG", "LH", "FI", "TU", "IT", "SP"],
    places: ["nato", "poland", "romania", "estonia", "latvia", "lithuania", "finland", "turkey", "germany", "france"],
  },
  "Balkans/Caucasus": {
    codes: ["RI", "KV", "BK", "AM", "AJ", "GG"],
    places: ["serbia", "kosovo", "bosnia", "armenia", "azerbaijan", "georgia"],
  },
} as const satisfies Readonly<
  Record<string, { readonly codes: readonly string[]; readonly places: readonly string[] }>
>;

export type Theatre = keyof typeof THEATRES;
export const THEATRE_NAMES = Object.keys(THEATRES) as Theatre[];

const THEATRE_OF = new Map<string, Theatre>(
  THEATRE_NAMES.flatMap((name) => THEATRES[name].codes.map((code): [string, Theatre] => [code, name])),
);
/** The theatre of a country, by its FIPS code; undefined for the others. */
export const theatreOf = (fips: string): Theatre | undefined => THEATRE_OF.get(fips);
