/** A round every 2.8 s, as measured on the main network. */
export const ROUND_MS = 2_800;
/** Round 0 of the simulated chain, some years back. */
const GENESIS_MS = Date.UTC(2024, 0, 1);

export const roundAt = (ms: number): number => Math.max(0, Math.floor((ms - GENESIS_MS) / ROUND_MS));
