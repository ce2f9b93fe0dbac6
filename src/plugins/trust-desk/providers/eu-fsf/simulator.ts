import { defineSimulator } from "intel-node";
import { type BirthYears, readBirthYears } from "../../lists/birth-years.ts";
import type { SimulatedListing } from "../../lists/simulated-listing.ts";
import { dayOf, escapeXML, getSimulatedListings } from "../../lists/simulated-lists.ts";

function renderBirthdate({ from, to, is_approximate }: BirthYears): string {
  const years = from === to ? `year="${from}"` : `yearRangeFrom="${from}" yearRangeTo="${to}"`;
  return `<birthdate circa="${is_approximate}" calendarType="GREGORIAN" ${years}/>`;
}

const renderEntity = ({ id, type, first, last, aliases, program, born }: SimulatedListing): string => {
  const code = type === "Individual" ? "person" : "enterprise";
  const names = [{ name: `${first} ${last}`.trim(), is_weak: false }, ...aliases];
  return [
    `<sanctionEntity euReferenceNumber="EU.${id}.1" logicalId="${id}">`,
    `<regulation programme="${program}" entryIntoForceDate="2021-09-21"/><subjectType code="${code}"/>`,
    ...names.map(({ name, is_weak }) => `<nameAlias wholeName="${escapeXML(name)}" strong="${!is_weak}"/>`),
    ...readBirthYears(born).map(renderBirthdate),
    "</sanctionEntity>",
  ].join("");
};

/** A whole list in the Union's XML edition. @param day ISO date of its publication. */
export function renderEUList(entries: readonly SimulatedListing[], day: string): string {
  const xmlns = "http://eu.europa.ec/fpi/fsd/export";
  const head = `<?xml version="1.0"?><export xmlns="${xmlns}" generationDate="${day}T00:00:00.000+00:00">`;
  return `${head}${entries.map(renderEntity).join("\n")}</export>`;
}

export const simulator = defineSimulator({
  provider: "eu_fsf",
  respond({ path }, world) {
    if (path !== "/xmlFullSanctionsList_1_1/content") return { status: 404, text: "Not Found" };
    const text = renderEUList(getSimulatedListings("eu"), dayOf(world));
    return { text, headers: { "content-type": "application/xml" } };
  },
});
