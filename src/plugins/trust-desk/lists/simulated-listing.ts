/** One entry of the sandbox's lists, before it is put into a list's own form. */
export interface SimulatedListing {
  readonly id: number;
  readonly type: "Individual" | "Entity";
  /** Family name, or the whole name of an entity. */
  readonly last: string;
  readonly first: string;
  readonly aliases: readonly { readonly name: string; readonly is_weak: boolean }[];
  readonly wallets: readonly { readonly currency: string; readonly address: string }[];
  readonly program: string;
  /** As OFAC writes it: "17 Apr 1993", "circa 1957", "1977 to 1982". */
  readonly born: string;
}
