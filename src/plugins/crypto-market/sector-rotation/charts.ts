import { type Chart, drawRows } from "intel-node";
import type { SectorRotationData } from "./schema.ts";

const QUADRANTS = ["leading", "weakening", "lagging", "improving"] as const;

/** The number of sectors in each state: all that can be drawn of the free sample, which has no figures. */
export const drawQuadrants = ({ sectors }: Pick<SectorRotationData, "sectors">): readonly Chart[] =>
  drawRows(QUADRANTS, {
    title: "Sectors by quadrant",
    about: "Leading: ahead of the market and gaining on it; weakening: ahead and falling back; and so round.",
    unit: "number",
    bar: (quadrant) => [quadrant, sectors.filter((one) => one.quadrant === quadrant).length],
  });
