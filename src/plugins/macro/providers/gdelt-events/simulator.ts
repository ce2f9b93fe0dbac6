import { defineSimulator } from "intel-node";
import { THEATRE_NAMES, THEATRES } from "../../theatres/theatres.ts";

/** A country of each theatre, and one of none. */
const COUNTRIES = [...THEATRE_NAMES.map((name) => THEATRES[name].codes[0]), "NZ"];
/** Quad class, root code and Goldstein value of the events of one country. */
const KINDS = [
  ["1", "04", "2.8"],
  ["2", "07", "7.0"],
  ["3", "11", "-2.0"],
  ["4", "19", "-10.0"],
] as const;
const tabs = (count: number): string => "\t".repeat(count);
const UPLOAD_MS = 120_000;

/** A file of a few dozen events, whose part of conflict drifts from day to day. */
export const simulator = defineSimulator({
  provider: "gdelt_events",
  respond({ path }, world) {
    const [, stamp = ""] = /^\/gdeltv2\/(\d{14})\.export\.CSV\.zip$/.exec(path) ?? [];
    const iso = stamp.replace(/^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})$/, "$1-$2-$3T$4:$5:$6Z");
    const at_ms = Date.parse(iso);
    if (Number.isNaN(at_ms) || at_ms % 900_000 !== 0 || at_ms + UPLOAD_MS > world.now()) {
      return { status: 404, text: "<?xml version='1.0' encoding='UTF-8'?><Error><Code>NoSuchKey</Code></Error>" };
    }
    const heat = 4 + 3 * world.noise(`gdelt day ${iso.slice(0, 10)}`);
    const rows = COUNTRIES.flatMap((country) => {
      const talk = 20 * (1 + world.noise(`gdelt ${stamp} ${country}`));
      return KINDS.map(([quad, root, goldstein]) => {
        const mentions = Math.floor(quad === "4" ? (talk * heat) / 10 : talk);
        const event = [root, quad, goldstein, mentions].join("\t");
        const url = `https://press.example/${country.toLowerCase()}/${stamp}-${quad}`;
        return `${stamp}${country}${quad}${tabs(28)}${event}${tabs(22)}${country}${tabs(7)}${url}`;
      });
    });
    return { zip: { [`${stamp}.export.CSV`]: `${rows.join("\n")}\n` } };
  },
});
