/** What speaks to a machine instead of a reader. */
const COMMANDS = [
  new RegExp(
    "\\b(?:ignore|disregard|forget|override)\\b.{0,40}\\b(?:previous|prior|above|earlier|all|your|system)\\b" +
      ".{0,30}\\b(?:instructions?|prompts?|rules|context)\\b",
    "iu",
  ),
  /\b(?:ignore|desconsidere|esqueça)\b.{0,40}\b(?:instruções|instrucoes|regras|comandos)\b/iu,
  /\b(?:system|developer)\s+(?:prompt|message)\b/iu,
  /\byou\s+are\s+now\b.{0,40}\b(?:assistant|agent|model|mode|admin)\b/iu,
  /<\|?\/?(?:im_start|im_end|system|assistant|user)\b/iu,
  /\b(?:print|reveal|repeat|exfiltrate|send)\b.{0,40}\b(?:system prompt|api key|private key|seed phrase|secrets?)\b/iu,
] as const;
/** Characters nobody sees: tags of Unicode, zero widths, changes of direction. */
const HIDDEN = /[\u{E0000}-\u{E007F}\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]/u;

/** Whether a stranger's text looks as if it were written to steer a machine. A sign, no proof, nor is its lack. */
export const isSuspicious = (text: string): boolean =>
  HIDDEN.test(text) || COMMANDS.some((command) => command.test(text));
