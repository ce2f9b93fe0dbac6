/** Options that many commands share. */
export const CONFIG = ["-c, --config <file>", "configuration file", "node.toml"] as const;
export const JSON_FLAG = ["--json", "machine-readable output", false] as const;

/** Takes the exit code of a command. */
export type Finish = (code: number) => void;
