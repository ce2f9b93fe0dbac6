import { defineDataset, type XMLElement } from "intel-node";
import { unSc } from "../providers/un-sc/provider.ts";
import {
  createRowWriter,
  type EntityType,
  fetchList,
  findWallets,
  LISTING_FORM,
  type ListedEntity,
  yearsIn,
} from "../shared/lists/listing.ts";
import { allText, findAll, textOf, textsOf } from "../shared/lists/xml.ts";

/** One alias may be several names. */
const split = (text: string): readonly string[] => text.split(/\s*;\s*/).filter((one) => one !== "");

function toEntity(element: XMLElement, type: EntityType): ListedEntity {
  const parts = ["FIRST_NAME", "SECOND_NAME", "THIRD_NAME", "FOURTH_NAME"].map((name) => textOf(element, name));
  const prefix = type === "person" ? "INDIVIDUAL" : "ENTITY";
  const aliases = findAll(element, `${prefix}_ALIAS`).flatMap((alias) =>
    split(textOf(alias, "ALIAS_NAME")).map((name) => ({
      name,
      kind: textOf(alias, "QUALITY") === "Low" ? ("weak" as const) : ("alias" as const),
    })),
  );
  const scripts = textsOf(element, "NAME_ORIGINAL_SCRIPT").flatMap(split);
  return {
    id: textOf(element, "REFERENCE_NUMBER") || textOf(element, "DATAID"),
    type,
    names: [
      { name: parts.filter((part) => part !== "").join(" "), kind: "primary" },
      ...aliases,
      ...scripts.map((name) => ({ name, kind: "alias" as const })),
    ],
    wallets: findWallets(allText(element)),
    programs: textsOf(element, "UN_LIST_TYPE"),
    listed_on: textOf(element, "LISTED_ON") || null,
    birth_years: yearsIn(findAll(element, "INDIVIDUAL_DATE_OF_BIRTH").map(allText)),
  };
}

/** The Security Council's consolidated list. */
export const dataset = defineDataset({
  name: "trust-desk/un",
  schedule: "37 */12 * * *",
  providers: [unSc],
  deadline_ms: 300_000,
  ...LISTING_FORM,
  fetch: (context) =>
    fetchList(context, { provider: unSc, path: "/consolidated.xml", published: /dateGenerated="([^"]{10,40})"/ }),
  async *parse(files) {
    const write = createRowWriter();
    for await (const one of files.xml("list", "INDIVIDUAL")) yield* write(toEntity(one, "person"));
    for await (const one of files.xml("list", "ENTITY")) yield* write(toEntity(one, "entity"));
  },
});
