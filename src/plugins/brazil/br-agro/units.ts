/** Kilograms of a sack and of an arroba of cattle, as B3 and Conab quote them. */
export const SACK_KG = 60;
export const ARROBA_KG = 15;
/** The avoirdupois pound (international yard and pound agreement, 1959). */
const POUND_KG = 0.45359237;
/** Pounds of a bushel by product (USDA, weights, measures and conversion factors). */
const BUSHEL_POUNDS = { soy: 60, corn: 56 } as const;
export type ParityProduct = keyof typeof BUSHEL_POUNDS;

/** Bushels of a sack of 60 kg. */
export const bushelsOfSack = (product: ParityProduct): number => SACK_KG / (BUSHEL_POUNDS[product] * POUND_KG);
export const poundsOfSack = (): number => SACK_KG / POUND_KG;
/** USD per tonne as USD per sack. */
export const toSackPrice = (usd_per_tonne: number): number => (usd_per_tonne * SACK_KG) / 1_000;

export interface ParityPrice {
  readonly product: ParityProduct;
  readonly usd_per_bushel: number;
}

/** A Chicago price as a sack's, and B3's front future (BRL per sack) above it. */
export function getParity({ product, usd_per_bushel }: ParityPrice, ptax: number, front_brl: number | null) {
  const usd = usd_per_bushel * bushelsOfSack(product);
  const brl = usd * ptax;
  return {
    product,
    chicago_usd_bu: usd_per_bushel,
    usd_per_sack_60kg: usd,
    brl_per_sack_60kg: brl,
    premium_pct: front_brl === null ? null : (front_brl / brl - 1) * 100,
  };
}
