import { type DatasetFiles, defineDataset, type XMLElement } from "intel-node";
import { type BirthYears, readBirthRange, readBirthYears } from "../lists/birth-years.ts";
import { fetchList, findWallets, LISTING_FORM, type ListedEntity, writeRows } from "../lists/listing.ts";
import { allText, findAll } from "../lists/xml.ts";
import { euFsf } from "../providers/eu-fsf/provider.ts";

const attribute = (element: XMLElement, name: string): string => element.attributes[name]?.trim() ?? "";

/** A date, a year, or a range of years; "circa" goes with each of them. */
function readBirthdate(element: XMLElement): readonly BirthYears[] {
  const years = [
    ...readBirthYears(attribute(element, "birthdate") || attribute(element, "year")),
    ...readBirthRange(attribute(element, "yearRangeFrom"), attribute(element, "yearRangeTo")),
  ];
  const is_circa = attribute(element, "circa") === "true";
  return years.map((one) => ({ ...one, is_approximate: one.is_approximate || is_circa }));
}

function toEntity(entity: XMLElement): ListedEntity {
  const aliases = findAll(entity, "nameAlias").map((alias) => ({
    name: attribute(alias, "wholeName"),
    is_strong: attribute(alias, "strong") !== "false",
  }));
  const first = aliases.findIndex(({ name, is_strong }) => is_strong && name !== "");
  const regulations = findAll(entity, "regulation");
  return {
    id: attribute(entity, "euReferenceNumber") || attribute(entity, "logicalId"),
    type: findAll(entity, "subjectType").some((one) => attribute(one, "code") === "person") ? "person" : "entity",
    names: aliases.map(({ name, is_strong }, index) => ({
      name,
      kind: index === Math.max(0, first) ? "primary" : is_strong ? "alias" : "weak",
    })),
    wallets: findWallets(allText(entity)),
    programs: [...new Set(regulations.map((one) => attribute(one, "programme")).filter((one) => one !== ""))],
    listed_on: regulations.map((one) => attribute(one, "entryIntoForceDate")).sort()[0] || null,
    birth_years: findAll(entity, "birthdate").flatMap(readBirthdate),
  };
}

async function* readEntities(files: DatasetFiles) {
  for await (const entity of files.xml("list", "sanctionEntity")) yield toEntity(entity);
}

/** The European Union's list, its XML edition. */
export const dataset = defineDataset({
  name: "trust-desk/eu",
  schedule: "27 */12 * * *",
  providers: [euFsf],
  deadline_ms: 600_000,
  ...LISTING_FORM,
  fetch: (context) =>
    fetchList(context, {
      provider: euFsf,
      path: "/xmlFullSanctionsList_1_1/content?token=dG9rZW4tMjAxNw",
      published: /generationDate="([^"]{10,40})"/,
    }),
  parse: (files) => writeRows(readEntities(files)),
});
