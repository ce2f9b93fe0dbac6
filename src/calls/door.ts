import type { CatalogProduct } from "../catalog/catalog.ts";

/** What a call came in by, as the door itself knows it. */
export type EntryDoor = "http" | "mcp" | "a2a";

/** Where sales come from, for the operator's sums: the entry, told apart by what was asked and how it was paid. */
export type Door = EntryDoor | "mpp" | "chat" | "basket" | "watch";

interface DoorCall {
  readonly product: Pick<CatalogProduct, "id" | "definition">;
  readonly door?: EntryDoor | undefined;
}

/** The door of a paid call; null where its entry did not say. A basket or chat is its own door, by any entry. */
export function nameDoor({ product, door }: DoorCall, is_mpp: boolean): Door | null {
  if (product.id === "basket") return "basket";
  if (product.definition.form !== undefined && door === "http") return "chat";
  return door === "http" && is_mpp ? "mpp" : (door ?? null);
}
