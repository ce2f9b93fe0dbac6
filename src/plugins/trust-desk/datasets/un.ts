import { type DatasetFiles, defineDataset, type XMLElement } from "intel-node";
import { type BirthYears, isCalledApproximate, readBirthRange, readBirthYears } from "../lists/birth-years.ts";
import {
  type EntityType,
  fetchList,
  findWallets,
  LISTING_FORM,
  type ListedEntity,
  writeRows,
} from "../lists/listing.ts";
import { allText, findAll, textOf, textsOf } from "../lists/xml.ts";
import { unSc } from "../providers/un-sc/provider.ts";

/** One alias can be several names. */
const split = (text: string): readonly string[] => text.split(/\s*;\s*/).filter((one) => one !== "");

/** EXACT: a day or a year; APPROXIMATELY: a year; BETWEEN: a range. A note may say more, such as "circa". */
function readBirthDate(element: XMLElement): readonly BirthYears[] {
  const note = textOf(element, "NOTE");
  const years = [
    ...["DATE", "YEAR"].flatMap((name) => textsOf(element, name)).flatMap(readBirthYears),
    ...readBirthRange(textOf(element, "FROM_YEAR"), textOf(element, "TO_YEAR")),
    ...readBirthYears(note),
  ];
  const is_approximate = /^approx/i.test(textOf(element, "TYPE_OF_DATE")) || isCalledApproximate(note);
  return years.map((one) => ({ ...one, is_approximate: one.is_approximate || is_approximate }));
}

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
    birth_years: findAll(element, "INDIVIDUAL_DATE_OF_BIRTH").flatMap(readBirthDate),
  };
}

async function* readEntities(files: DatasetFiles) {
  for await (const one of files.xml("list", "INDIVIDUAL")) yield toEntity(one, "person");
  for await (const one of files.xml("list", "ENTITY")) yield toEntity(one, "entity");
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
  parse: (files) => writeRows(readEntities(files)),
});
