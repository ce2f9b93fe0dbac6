import type { BasketData } from "./basket-schema.ts";
import type { TellGist } from "./gist.ts";

/** Atomic units in a US dollar. */
const USDC_ATOMIC = 1e6;

/** What was delivered for how much, and what the first answer says of itself. */
export const tellBasket: TellGist<BasketData> = (
  { items, delivered, price_atomic },
  { en, pt, fig, name, moment, pick },
) => {
  const failed = items.find((item) => "error" in item);
  const [count, price] = [fig(delivered, "count"), fig(Number(price_atomic) / USDC_ATOMIC, "usd", { decimals: 4 })];
  const rest = failed === undefined ? pick("nothing failed", "nada falhou") : pick("some failed", "houve falhas");
  return {
    headline: { value: delivered, unit: pick("answers", "respostas"), sense: rest },
    text:
      en`The basket ${name("delivered")} ${count} answers for ${price} by ${moment()}, ${rest}` ??
      pt`A cesta ${name("entregou")} ${count} respostas por ${price} até ${moment()}, ${rest}`,
  };
};
