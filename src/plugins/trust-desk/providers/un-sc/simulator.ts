import { defineSimulator } from "intel-node";
import { type BirthYears, readBirthYears } from "../../lists/birth-years.ts";
import type { SimulatedListing } from "../../lists/simulated-listing.ts";
import { dayOf, escapeXML, getSimulatedListings } from "../../lists/simulated-lists.ts";

function renderBirth({ from, to, is_approximate }: BirthYears): string {
  const [kind, years] =
    from === to
      ? [is_approximate ? "APPROXIMATELY" : "EXACT", `<YEAR>${from}</YEAR>`]
      : ["BETWEEN", `<FROM_YEAR>${from}</FROM_YEAR><TO_YEAR>${to}</TO_YEAR>`];
  const note = is_approximate && from !== to ? "<NOTE>Approximately</NOTE>" : "";
  const body = `<TYPE_OF_DATE>${kind}</TYPE_OF_DATE>${years}${note}`;
  return `<INDIVIDUAL_DATE_OF_BIRTH>${body}</INDIVIDUAL_DATE_OF_BIRTH>`;
}

function renderEntry({ id, type, first, last, aliases, born, program }: SimulatedListing): string {
  const name = type === "Individual" ? "INDIVIDUAL" : "ENTITY";
  const [given = last, ...rest] = first === "" ? [last] : [first, last];
  return [
    `<${name}><DATAID>${id}</DATAID><FIRST_NAME>${escapeXML(given)}</FIRST_NAME>`,
    rest.length > 0 ? `<SECOND_NAME>${escapeXML(rest.join(" "))}</SECOND_NAME>` : "",
    `<UN_LIST_TYPE>${escapeXML(program)}</UN_LIST_TYPE><REFERENCE_NUMBER>SIM.${id}</REFERENCE_NUMBER>`,
    ...aliases.map(
      (alias) =>
        `<${name}_ALIAS><QUALITY>${alias.is_weak ? "Low" : "Good"}</QUALITY>` +
        `<ALIAS_NAME>${escapeXML(alias.name)}</ALIAS_NAME></${name}_ALIAS>`,
    ),
    ...readBirthYears(born).map(renderBirth),
    `</${name}>`,
  ].join("");
}

/** A whole list as the Security Council prints it. @param day ISO date of its publication. */
export function renderUNList(entries: readonly SimulatedListing[], day: string): string {
  const render = (wanted: SimulatedListing["type"]): string =>
    entries
      .filter(({ type }) => type === wanted)
      .map(renderEntry)
      .join("\n");
  const body = `<INDIVIDUALS>${render("Individual")}</INDIVIDUALS><ENTITIES>${render("Entity")}</ENTITIES>`;
  return `<?xml version="1.0"?><CONSOLIDATED_LIST dateGenerated="${day}T04:30:00Z">${body}</CONSOLIDATED_LIST>`;
}

export const simulator = defineSimulator({
  provider: "un_sc",
  respond({ path }, world) {
    if (path !== "/consolidated.xml") return { status: 404, text: "Not Found" };
    return { text: renderUNList(getSimulatedListings("un"), dayOf(world)), headers: { "content-type": "text/xml" } };
  },
});
