/**
 * What processes of one node say to each other while one takes the other's place. The first process that was started
 * stays: it starts every other one, passes on what they say to each other, and is who the system's supervisor knows.
 */

/** From a process that is to take over, or was asked to start one. */
export type SuccessorWord =
  /** It read its configuration and would start. Nothing of the data folder was touched. */
  | { readonly kind: "prepared"; readonly version: string; readonly schema: number }
  /** It answers calls. */
  | { readonly kind: "serving" }
  | { readonly kind: "exited"; readonly code: number | null };

/** To a process that is to take over. */
export type PredecessorWord =
  /** The data folder is free: start, on this port, and take what is passed on at this socket. */
  { readonly kind: "go"; readonly port: number; readonly socket: string };

/** From a process to the one that started it, for another process that this one started. */
export type ParentWord =
  | { readonly kind: "spawn"; readonly program: readonly string[] }
  | { readonly kind: "tell"; readonly word: PredecessorWord }
  | { readonly kind: "kill" }
  /** The newest process serves: what it exits with is what the node exits with. */
  | { readonly kind: "succeeded" };

/** Set in the environment of a process that is started to take over. Configuration has the names INTEL_NODE_…. */
export const HANDOVER_VARIABLE = "_INTEL_HANDOVER";
/** Where the program is kept, whatever file of it a process was started from. */
export const PROGRAM_VARIABLE = "_INTEL_PROGRAM";

/** Whether this process was started by another one of this node. */
export const isSuccessor = (): boolean => process.env[HANDOVER_VARIABLE] === "1" && process.send !== undefined;
