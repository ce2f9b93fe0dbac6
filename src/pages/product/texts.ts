import type { SurfaceProduct } from "../../surfaces/types.ts";
import type { Words } from "../words.ts";
import { PRODUCTS_IN_PORTUGUESE, type ProductTexts } from "./texts.pt.ts";

/** A product's title and description in the reader's language, where they were written in it; English otherwise. */
export function productTexts({ path, title, description }: SurfaceProduct, { language }: Words): ProductTexts {
  return (language === "pt-BR" ? PRODUCTS_IN_PORTUGUESE[path] : undefined) ?? { title, description };
}
