import type { CommandFacts, OptionFacts } from "../commands/command-table.ts";

/** The words that may follow each beginning of a command; "" means the program name alone. */
function listNextWords(commands: readonly CommandFacts[]): ReadonlyMap<string, readonly string[]> {
  const next = new Map<string, Set<string>>();
  for (const { words } of commands) {
    words.forEach((word, index) => {
      const begun = words.slice(0, index).join(" ");
      next.set(begun, (next.get(begun) ?? new Set()).add(word));
    });
  }
  return new Map([...next].map(([begun, words]) => [begun, [...words]]));
}

const flagsOf = ({ options }: CommandFacts): readonly string[] => options.flatMap(({ flags }) => flags);
const isFile = ({ value }: OptionFacts): boolean => /file|dir|path|key|pem/i.test(value);
/** Options of any command that take a file. */
const fileFlags = (commands: readonly CommandFacts[]): readonly string[] => [
  ...new Set(commands.flatMap(({ options }) => options.filter(isFile).flatMap(({ flags }) => flags))),
];

/** For bash, without the bash-completion package. */
export function renderBash(commands: readonly CommandFacts[]): string {
  const cases = [
    ...[...listNextWords(commands)].map(([begun, words]) => `    "${begun}") wanted="${words.join(" ")}" ;;`),
    ...commands.map((one) => `    "${one.words.join(" ")}") wanted="${flagsOf(one).join(" ")}" ;;`),
  ];
  return `# bash completion for intel-node
_intel_node() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} begun="" wanted="" one
  case " ${fileFlags(commands).join(" ")} " in
    *" $before "*) COMPREPLY=($(compgen -f -- "$word")); return ;;
  esac
  for one in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $one in -*) break ;; *) begun="\${begun:+$begun }$one" ;; esac
  done
  case $begun in
${cases.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$wanted" -- "$word"))
}
complete -F _intel_node intel-node
`;
}

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** For zsh: bash's rules under its own names. */
export function renderZsh(commands: readonly CommandFacts[]): string {
  const cases = [
    ...[...listNextWords(commands)].map(([begun, words]) => `    ${quote(begun)}) wanted=(${words.join(" ")}) ;;`),
    ...commands.map((one) => `    ${quote(one.words.join(" "))}) wanted=(${flagsOf(one).join(" ")}) ;;`),
  ];
  return `#compdef intel-node
_intel_node() {
  local -a wanted begun
  local one
  if [[ " ${fileFlags(commands).join(" ")} " == *" \${words[CURRENT-1]} "* ]]; then _files; return; fi
  for one in \${words[2,CURRENT-1]}; do
    [[ $one == -* ]] && break
    begun+=($one)
  done
  case "\${(j: :)begun}" in
${cases.join("\n")}
  esac
  compadd -- $wanted
}
_intel_node "$@"
`;
}

/** For fish. */
export function renderFish(commands: readonly CommandFacts[]): string {
  const seen = (words: readonly string[]): string => {
    const all = words.map((word) => `__fish_seen_subcommand_from ${word}`).join("; and ");
    return words.length === 0 ? "__fish_use_subcommand" : all;
  };
  const lines = commands.flatMap(({ words, description, options }) => {
    const begun = words.slice(0, -1);
    const last = words.at(-1) ?? "";
    const not = begun.length === 0 ? "" : `; and not __fish_seen_subcommand_from ${last}`;
    return [
      `complete -c intel-node -f -n ${quote(`${seen(begun)}${not}`)} -a ${last} -d ${quote(description)}`,
      ...options.map((option) => {
        const [short] = option.flags.filter((flag) => /^-[^-]$/.test(flag));
        const long = option.flags.find((flag) => flag.startsWith("--")) ?? "";
        const value = option.value === "" ? "" : isFile(option) ? " -r -F" : " -x";
        const named = `${short ? ` -s ${short.slice(1)}` : ""}${long ? ` -l ${long.slice(2)}` : ""}`;
        return `complete -c intel-node -n ${quote(seen(words))}${named}${value} -d ${quote(option.description)}`;
      }),
    ];
  });
  const groups = new Set(commands.filter(({ words }) => words.length > 1).map(({ words }) => words[0] ?? ""));
  const begun = [...groups].map((word) => `complete -c intel-node -f -n __fish_use_subcommand -a ${word}`);
  return `# fish completion for intel-node\n${[...begun, ...lines].join("\n")}\n`;
}
