import { type DatasetFiles, defineDataset, getOwn, type XMLElement } from "intel-node";
import { readBirthYears } from "../lists/birth-years.ts";
import {
  type EntityType,
  fetchList,
  findWallets,
  LISTING_FORM,
  type ListedEntity,
  writeRows,
} from "../lists/listing.ts";
import { allText, findAll, textOf, textsOf } from "../lists/xml.ts";
import { ukFcdo } from "../providers/uk-fcdo/provider.ts";

const TYPES: Readonly<Record<string, EntityType>> = { Individual: "person", Entity: "entity", Ship: "vessel" };

/** Given names come first, the family name or an entity's whole name last. */
const nameOf = (element: XMLElement): string =>
  ["Name1", "Name2", "Name3", "Name4", "Name5", "Name6"]
    .map((part) => textOf(element, part))
    .filter((part) => part !== "")
    .join(" ");

function kindOf(element: XMLElement): "primary" | "alias" | "weak" {
  if (textOf(element, "NameType").toLowerCase() === "primary name") return "primary";
  return /low quality/i.test(textOf(element, "AliasStrength")) ? "weak" : "alias";
}

const toEntity = (element: XMLElement): ListedEntity => ({
  id: textOf(element, "UniqueID"),
  type: getOwn(TYPES, textOf(element, "IndividualEntityShip")) ?? "entity",
  names: [
    ...findAll(element, "Names/Name").map((name) => ({ name: nameOf(name), kind: kindOf(name) })),
    ...textsOf(element, "NonLatinNames/NonLatinName/NameNonLatinScript").map((name) => ({
      name,
      kind: "alias" as const,
    })),
  ],
  wallets: findWallets(allText(element)),
  programs: textsOf(element, "RegimeName"),
  listed_on: textOf(element, "DateDesignated").replace(/^(\d\d)\/(\d\d)\/(\d{4})$/, "$3-$2-$1") || null,
  birth_years: textsOf(element, "IndividualDetails/Individual/DOBs/DOB").flatMap(readBirthYears),
});

async function* readEntities(files: DatasetFiles) {
  for await (const designation of files.xml("list", "Designation")) yield toEntity(designation);
}

/** The United Kingdom's list, its XML edition. */
export const dataset = defineDataset({
  name: "trust-desk/uk",
  schedule: "47 */12 * * *",
  providers: [ukFcdo],
  deadline_ms: 300_000,
  ...LISTING_FORM,
  fetch: (context) =>
    fetchList(context, {
      provider: ukFcdo,
      path: "/UK-Sanctions-List.xml",
      published: /<DateGenerated>([^<]{8,40})<\/DateGenerated>/,
      day_first: true,
    }),
  parse: (files) => writeRows(readEntities(files)),
});
