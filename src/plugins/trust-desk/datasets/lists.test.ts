import { describe, expect, test } from "bun:test";
import { parseDatasetText } from "../../../../test/helpers/dataset-text.ts";
import { dataset as eu } from "./eu.ts";
import { dataset as ofacSdn } from "./ofac-sdn.ts";
import { dataset as uk } from "./uk.ts";
import { dataset as un } from "./un.ts";

const renderOfac = (entries: readonly string[]): string => {
  const head = `<publshInformation><Record_Count>${entries.length}</Record_Count></publshInformation>`;
  return `<sdnList>${head}${entries.join("")}</sdnList>`;
};
const renderUN = (individuals: string): string =>
  `<CONSOLIDATED_LIST><INDIVIDUALS>${individuals}</INDIVIDUALS><ENTITIES/></CONSOLIDATED_LIST>`;

describe("years of birth in each list's form", () => {
  test.each([
    ["<dateOfBirth>1968 to 1973</dateOfBirth>", "1968-1973"],
    ["<dateOfBirth>circa 1951</dateOfBirth>", "~1951"],
    ["<dateOfBirth>01 Jan 1960 to 31 Dec 1961</dateOfBirth>", "1960-1961"],
  ])("OFAC: %s", async (born, due) => {
    const dates = `<dateOfBirthList><dateOfBirthItem>${born}</dateOfBirthItem></dateOfBirthList>`;
    const text = renderOfac([`<sdnEntry><uid>1</uid><lastName>A</lastName>${dates}</sdnEntry>`]);
    expect(await parseDatasetText(ofacSdn, "list", text)).toMatchObject([{ birth_years: due }]);
  });

  test.each([
    ["<TYPE_OF_DATE>BETWEEN</TYPE_OF_DATE><FROM_YEAR>1977</FROM_YEAR><TO_YEAR>1982</TO_YEAR>", "1977-1982"],
    ["<TYPE_OF_DATE>APPROXIMATELY</TYPE_OF_DATE><YEAR>1968</YEAR>", "~1968"],
    ["<TYPE_OF_DATE>EXACT</TYPE_OF_DATE><DATE>1937-04-28</DATE>", "1937"],
    ["<TYPE_OF_DATE>EXACT</TYPE_OF_DATE><YEAR>1971</YEAR><NOTE>approximately</NOTE>", "~1971"],
    // Of the list itself, 2026-02-27.
    ["<TYPE_OF_DATE>APPROXIMATELY</TYPE_OF_DATE><NOTE>30-35 years old</NOTE>", ""],
    ["<TYPE_OF_DATE>EXACT</TYPE_OF_DATE><NOTE>24/06/1402 (Hijri Calendar)</NOTE>", ""],
    ["<TYPE_OF_DATE>EXACT</TYPE_OF_DATE><NOTE>Between Aug. and Sep. 1977</NOTE>", "1977"],
    ["<TYPE_OF_DATE>EXACT</TYPE_OF_DATE><DATE>1937-04-28</DATE><NOTE>from false passport</NOTE>", "1937"],
    ["<TYPE_OF_DATE>BETWEEN</TYPE_OF_DATE><FROM_YEAR>1977</FROM_YEAR><TO_YEAR/>", "1977-2099"],
  ])("UN: %s", async (born, due) => {
    const dates = `<INDIVIDUAL_DATE_OF_BIRTH>${born}</INDIVIDUAL_DATE_OF_BIRTH>`;
    const text = renderUN(`<INDIVIDUAL><DATAID>1</DATAID><FIRST_NAME>A</FIRST_NAME>${dates}</INDIVIDUAL>`);
    expect(await parseDatasetText(un, "list", text)).toMatchObject([{ birth_years: due }]);
  });

  // Of the export itself: logicalId 1865 and 117055.
  test.each([
    ['circa="true" calendarType="GREGORIAN" yearRangeFrom="1953" yearRangeTo="1958"', "~1953-1958"],
    ['circa="false" yearRangeFrom="1953" yearRangeTo="1958"', "1953-1958"],
    ['circa="false" calendarType="GREGORIAN" yearRangeTo="1980"', "1800-1980"],
    ['circa="true" year="1968"', "~1968"],
    ['circa="false" birthdate="1924-02-21" year="1924"', "1924"],
  ])("EU: %s", async (born, due) => {
    const entity = `<sanctionEntity logicalId="1"><nameAlias wholeName="A"/><birthdate ${born}/></sanctionEntity>`;
    const rows = await parseDatasetText(eu, "list", `<export>${entity}</export>`);
    expect(rows).toMatchObject([{ birth_years: due }]);
  });

  test.each([
    ["<DOB>dd/mm/1945</DOB><DOB>24/10/1948</DOB>", "1945 1948"],
    ["<DOB>circa 1960</DOB>", "~1960"],
    ["<DOB>dd/mm/1960 - dd/mm/1965</DOB>", "1960-1965"],
  ])("UK: %s", async (born, due) => {
    // A passport's own years are not a year of birth.
    const other = "<PassportDetails><Passport><PassportNumber>1999</PassportNumber></Passport></PassportDetails>";
    const details = `<IndividualDetails><Individual><DOBs>${born}</DOBs>${other}</Individual></IndividualDetails>`;
    const names = "<Names><Name><Name6>A</Name6><NameType>Primary Name</NameType></Name></Names>";
    const text = `<Designations><Designation><UniqueID>1</UniqueID>${names}${details}</Designation></Designations>`;
    expect(await parseDatasetText(uk, "list", text)).toMatchObject([{ birth_years: due }]);
  });
});

describe("an entity without a name", () => {
  const WALLET = "0x098B716B8Aaf21512996dC57EB0615e2383E2f96";
  const ofacEntry = (name: string, id = ""): string =>
    `<sdnEntry><uid>1</uid><lastName>${name}</lastName><idList>${id}</idList></sdnEntry>`;
  const unPerson = (name: string): string =>
    `<INDIVIDUAL><DATAID>1</DATAID><FIRST_NAME>${name}</FIRST_NAME></INDIVIDUAL>`;
  const euEntity = (name: string): string =>
    `<sanctionEntity logicalId="1"><nameAlias wholeName="${name}"/></sanctionEntity>`;
  const ukEntry = (name: string): string =>
    `<Designation><UniqueID>1</UniqueID><Names><Name><Name6>${name}</Name6></Name></Names></Designation>`;
  const NAMES = ["A", " ", "C", "D", "E"];
  const LISTS = [
    ["OFAC", ofacSdn, renderOfac(NAMES.map((name) => ofacEntry(name)))],
    ["UN", un, renderUN(NAMES.map(unPerson).join(""))],
    ["EU", eu, `<export>${NAMES.map(euEntity).join("")}</export>`],
    ["UK", uk, `<Designations>${NAMES.map(ukEntry).join("")}</Designations>`],
  ] as const;

  test.each(LISTS)("takes no other from %s's list, and is counted", async (_, list, text) => {
    const rows = await parseDatasetText(list, "list", text);
    expect(rows.filter(({ kind }) => kind !== "unnamed").map(({ name }) => name)).toEqual(["A", "C", "D", "E"]);
    expect(rows.filter(({ kind }) => kind === "unnamed")).toMatchObject([{ entity_id: "1", name: "" }]);
    expect(rows.map(({ row }) => row)).toEqual([0, 1, 2, 3, 4]);
  });

  test("keeps its wallets", async () => {
    const id = `<id><idType>Digital Currency Address - ETH</idType><idNumber>${WALLET}</idNumber></id>`;
    const rows = await parseDatasetText(
      ofacSdn,
      "list",
      renderOfac([ofacEntry("", id), ofacEntry("B"), ofacEntry("C")]),
    );
    expect(rows[0]).toMatchObject({ kind: "wallet", name: WALLET.toLowerCase(), primary_name: "(no name)" });
  });

  test("is refused with its list where too many lack a name", async () => {
    const text = renderUN(["A", "", "", "D"].map(unPerson).join(""));
    await expect(parseDatasetText(un, "list", text)).rejects.toThrow("2 of 4 rows cannot be read");
  });
});
