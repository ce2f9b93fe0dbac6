/**
 * Messages between processes of one node during a hand-over. The first process stays: it starts every other one, passes
 * on their messages, and is the process that the system's supervisor knows.
 */

/** From a process that is to take over, or that was asked to start one. */
export type SuccessorWord =
  /** It has read its configuration and could start. It has not touched the data folder. */
  | { readonly kind: "prepared"; readonly version: string; readonly schema: number }
  /** It answers calls. */
  | { readonly kind: "serving" }
  | { readonly kind: "exited"; readonly code: number | null };

/** To a process that is to take over. */
export type PredecessorWord =
  /** The data folder is free: start on this port, and accept at this socket what is passed on. */
  { readonly kind: "go"; readonly port: number; readonly socket: string };

/** From a process to its parent, on behalf of another process that it started. */
export type ParentWord =
  | { readonly kind: "spawn"; readonly program: readonly string[] }
  | { readonly kind: "tell"; readonly word: PredecessorWord }
  | { readonly kind: "kill" }
  /** The newest process serves; its exit code becomes the node's. */
  | { readonly kind: "succeeded" };

/** Set in the environment of a process that is to take over. Names of configuration begin with INTEL_NODE_. */
export const HANDOVER_VARIABLE = "_INTEL_HANDOVER";
/** Path of the installed program, whatever file a process was started from. */
export const PROGRAM_VARIABLE = "_INTEL_PROGRAM";

/** Whether another process of this node started this one. */
export const isSuccessor = (): boolean => process.env[HANDOVER_VARIABLE] === "1" && process.send !== undefined;
