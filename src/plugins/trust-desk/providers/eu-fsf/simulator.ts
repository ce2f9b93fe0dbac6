import { defineSimulator } from "intel-node";
import { dayOf, escapeXML, getSimulatedListings } from "../../shared/lists/simulated-lists.ts";

export const simulator = defineSimulator({
  provider: "eu_fsf",
  respond({ path }, world) {
    if (path !== "/xmlFullSanctionsList_1_1/content") return { status: 404, text: "Not Found" };
    const entities = getSimulatedListings("eu").map(({ id, type, first, last, aliases, program, born }) => {
      const code = type === "Individual" ? "person" : "enterprise";
      const year = /\d{4}/.exec(born)?.[0];
      const names = [{ name: `${first} ${last}`.trim(), is_weak: false }, ...aliases];
      return [
        `<sanctionEntity euReferenceNumber="EU.${id}.1" logicalId="${id}">`,
        `<regulation programme="${program}" entryIntoForceDate="2021-09-21"/><subjectType code="${code}"/>`,
        ...names.map(({ name, is_weak }) => `<nameAlias wholeName="${escapeXML(name)}" strong="${!is_weak}"/>`),
        year === undefined ? "" : `<birthdate year="${year}"/>`,
        "</sanctionEntity>",
      ].join("");
    });
    const date = `${dayOf(world)}T00:00:00.000+00:00`;
    const xmlns = "http://eu.europa.ec/fpi/fsd/export";
    const head = `<?xml version="1.0"?><export xmlns="${xmlns}" generationDate="${date}">`;
    const text = `${head}${entities.join("\n")}</export>`;
    return { text, headers: { "content-type": "application/xml" } };
  },
});
