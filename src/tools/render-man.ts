import type { CommandFacts, OptionFacts } from "../commands/command-table.ts";
import { EXIT } from "../commands/exit-codes.ts";

/** Escapes text for troff: no control character at the start of a line, hyphens that can be copied. */
const plain = (text: string): string =>
  text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replace(/^([.'])/gm, "\\&$1");

const renderOption = ({ flags, value, description }: OptionFacts): string => {
  const named = flags.map((flag) => `\\fB${plain(flag)}\\fR`).join(", ");
  return `.TP\n${named}${value ? ` \\fI${plain(value)}\\fR` : ""}\n${plain(description)}`;
};

const renderCommand = ({ words, values, description, options }: CommandFacts): string =>
  [
    `.SS intel\\-node ${plain([...words, ...values].join(" "))}`,
    plain(description),
    ...options.filter(({ flags }) => !flags.includes("--help")).map(renderOption),
  ].join("\n");

/** The manual page intel-node(1), in man(7) macros. */
export function renderMan(commands: readonly CommandFacts[], version: string): string {
  const codes = Object.entries(EXIT).map(([name, code]) => `.TP\n\\fB${code}\\fR\n${plain(name)}`);
  return `${[
    `.TH INTEL-NODE 1 "" "intel-node ${plain(version)}" "User Commands"`,
    ".SH NAME",
    "intel\\-node \\- sells market intelligence to software agents, call by call, over x402",
    ".SH SYNOPSIS",
    ".B intel\\-node",
    "[\\fIcommand\\fR] [\\fIoptions\\fR]",
    ".SH DESCRIPTION",
    "Without a command the node is run. Every command has",
    ".BR \\-\\-help ;",
    "most have",
    ".BR \\-\\-json .",
    ".SH COMMANDS",
    ...commands.map(renderCommand),
    ".SH EXIT STATUS",
    ...codes,
    ".SH FILES",
    ".TP\n.I node.toml\nThe configuration; \\fBintel\\-node config example\\fR prints every key.",
    ".SH SIGNALS",
    ".TP\n.B SIGTERM, SIGINT\nFinish and settle what is in flight, then stop; a second one stops at once.",
    ".TP\n.B SIGHUP\nRead the configuration again.",
    ".TP\n.B SIGUSR2\nHand over to a new process of the program at its place.",
  ].join("\n")}\n`;
}
