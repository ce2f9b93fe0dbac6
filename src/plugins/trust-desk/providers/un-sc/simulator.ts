import { defineSimulator } from "intel-node";
import { dayOf, escapeXML, getSimulatedListings } from "../../shared/lists/simulated-lists.ts";

export const simulator = defineSimulator({
  provider: "un_sc",
  respond({ path }, world) {
    if (path !== "/consolidated.xml") return { status: 404, text: "Not Found" };
    const render = (wanted: "Individual" | "Entity"): string =>
      getSimulatedListings("un")
        .filter(({ type }) => type === wanted)
        .map(({ id, first, last, aliases }) => {
          const name = wanted === "Individual" ? "INDIVIDUAL" : "ENTITY";
          const [given = last, ...rest] = first === "" ? [last] : [first, last];
          return [
            `<${name}><DATAID>${id}</DATAID><FIRST_NAME>${escapeXML(given)}</FIRST_NAME>`,
            rest.length > 0 ? `<SECOND_NAME>${escapeXML(rest.join(" "))}</SECOND_NAME>` : "",
            `<UN_LIST_TYPE>Simulated</UN_LIST_TYPE><REFERENCE_NUMBER>SIM.${id}</REFERENCE_NUMBER>`,
            ...aliases.map(
              (alias) =>
                `<${name}_ALIAS><QUALITY>${alias.is_weak ? "Low" : "Good"}</QUALITY>` +
                `<ALIAS_NAME>${escapeXML(alias.name)}</ALIAS_NAME></${name}_ALIAS>`,
            ),
            `</${name}>`,
          ].join("");
        })
        .join("\n");
    const body = `<INDIVIDUALS>${render("Individual")}</INDIVIDUALS><ENTITIES>${render("Entity")}</ENTITIES>`;
    const head = `<?xml version="1.0"?><CONSOLIDATED_LIST dateGenerated="${dayOf(world)}T04:30:00Z">`;
    const text = `${head}${body}</CONSOLIDATED_LIST>`;
    return { text, headers: { "content-type": "text/xml" } };
  },
});
