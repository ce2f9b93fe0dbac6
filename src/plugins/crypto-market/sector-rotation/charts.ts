import { type Chart, drawRows } from "intel-node";
import type { SectorRotationData } from "./schema.ts";

const QUADRANTS = ["leading", "weakening", "lagging", "improving"] as const;

/** How many sectors stand where: of the free sample, which has no figures, this is what can be drawn. */
export const drawQuadrants = ({ sectors }: Pick<SectorRotationData, "sectors">): readonly Chart[] =>
  drawRows(QUADRANTS, {
    title: "Sectors by quadrant",
    about: "Leading: ahead of the market and gaining on it; weakening: ahead and falling back; and so round.",
    unit: "number",
    bar: (quadrant) => [quadrant, sectors.filter((one) => one.quadrant === quadrant).length],
  });
