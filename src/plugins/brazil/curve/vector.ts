/** Settlements B3 published for 2026-01-12: what tests and the sandbox take a curve's form from. */
export const VECTOR_DATE = "2026-01-12";

const DI1 =
  "G26 14.897 H26 14.871 J26 14.816 K26 14.755 M26 14.628 N26 14.512 Q26 14.38 U26 14.243 V26 14.103 X26 13.978 " +
  "Z26 13.869 F27 13.741 J27 13.478 N27 13.269 Q27 13.21 V27 13.126 F28 13.022 J28 12.992 N28 12.975 V28 12.995 " +
  "F29 13.003 J29 13.04 N29 13.086 V29 13.118 F30 13.156 J30 13.183 N30 13.224 V30 13.247 F31 13.289 J31 13.314 " +
  "N31 13.343 V31 13.37 F32 13.4 F33 13.451 F34 13.472 F35 13.482 F36 13.472 F37 13.491 F38 13.442 F39 13.422 " +
  "F40 13.407 F41 13.417";
const DAP =
  "F26 10.444 G26 9.616 H26 7.912 J26 8.653 K26 8.506 M26 8.91 Q26 10.235 F27 9.376 K27 8.605 Q28 7.995 K29 7.835 " +
  "Q30 7.785 Q32 7.715 K33 7.685 K35 7.48 Q40 7.3 K45 7.239 Q50 7.175 K55 7.123 Q60 7.163";

function read(root: string, text: string): readonly { readonly symbol: string; readonly rate: number }[] {
  const words = text.split(" ");
  return words.flatMap((word, index) =>
    index % 2 === 0 ? [{ symbol: `${root}${word}`, rate: Number(words[index + 1]) }] : [],
  );
}

export const VECTOR_DI1 = read("DI1", DI1);
export const VECTOR_DAP = read("DAP", DAP);
