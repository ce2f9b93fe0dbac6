import { type DatasetFetch, type DatasetFiles, defineDataset, getOwn, type XMLElement } from "intel-node";
import { ofac } from "../providers/ofac/provider.ts";
import { readBirthYears } from "./birth-years.ts";
import { type EntityType, fetchList, LISTING_FORM, type ListedEntity, writeRows } from "./listing.ts";
import { findAll, textOf, textsOf } from "./xml.ts";

const TYPES: Readonly<Record<string, EntityType>> = {
  Individual: "person",
  Entity: "entity",
  Vessel: "vessel",
  Aircraft: "aircraft",
};
const WALLET = /^Digital Currency Address - ([A-Z0-9]{2,8})$/;

/** "LAST, First", as the list writes persons. */
const nameOf = (element: XMLElement): string =>
  [textOf(element, "lastName"), textOf(element, "firstName")].filter((part) => part !== "").join(", ");

function toEntity(entry: XMLElement): ListedEntity {
  const wallets = findAll(entry, "idList/id").flatMap((id) => {
    const [, currency] = WALLET.exec(textOf(id, "idType")) ?? [];
    const address = textOf(id, "idNumber");
    return currency !== undefined && address !== "" ? [{ address, currency }] : [];
  });
  const aliases = findAll(entry, "akaList/aka").map((aka) => ({
    name: nameOf(aka),
    kind: textOf(aka, "category") === "weak" ? ("weak" as const) : ("alias" as const),
  }));
  return {
    id: textOf(entry, "uid"),
    type: getOwn(TYPES, textOf(entry, "sdnType")) ?? "entity",
    names: [{ name: nameOf(entry), kind: "primary" }, ...aliases],
    wallets,
    programs: textsOf(entry, "programList/program"),
    listed_on: null,
    birth_years: textsOf(entry, "dateOfBirthList/dateOfBirthItem/dateOfBirth").flatMap(readBirthYears),
  };
}

/**
 * A list in OFAC's XML edition. It says how many entries it has, so that a file that lost some is refused; unlike the
 * CSV edition it never cuts a wallet in two.
 */
async function* readEntities(files: DatasetFiles) {
  let due = Number.NaN;
  for await (const head of files.xml("list", "publshInformation")) due = Number(textOf(head, "Record_Count"));
  let entries = 0;
  for await (const entry of files.xml("list", "sdnEntry")) {
    entries += 1;
    yield toEntity(entry);
  }
  if (!(due > 0) || entries !== due) throw new Error(`${entries} entries where the list says it has ${due}`);
}

/** Both of OFAC's lists have the same form. */
export const defineOfacList = ({ name, file, minute }: { name: string; file: string; minute: number }) =>
  defineDataset({
    name: `trust-desk/${name}`,
    schedule: `${minute} */6 * * *`,
    providers: [ofac],
    deadline_ms: 300_000,
    ...LISTING_FORM,
    fetch: (context: DatasetFetch) =>
      fetchList(context, {
        provider: ofac,
        path: `/${file.toUpperCase()}`,
        otherwise: { host: "treasury", path: `/${file}` },
        published: /<Publish_Date>([^<]{8,12})<\/Publish_Date>/,
      }),
    parse: (files: DatasetFiles) => writeRows(readEntities(files)),
  });
