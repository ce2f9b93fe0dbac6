import { describe, expect, test } from "bun:test";
import { createNameIndex } from "./name-index.ts";
import type { ListedName } from "./types.ts";

const list = (...names: readonly string[]): ListedName[] =>
  names.map((name, index) => ({ id: `${index}`, name, kind: "primary" }));

const FOUR = createNameIndex(
  list("KHOROSHEV, Dmitry Yuryevich", "SUEX OTC, S.R.O.", "BANCO NACIONAL DE CUBA", "AEROCARIBBEAN AIRLINES"),
);

describe("the four names of the reference vector", () => {
  test.each<[query: string, score: number, band: string]>([
    ["Dmitry Khoroshev", 0.9167, "possible"],
    ["Dmitri Khoroshev", 0.8861, "possible"],
    ["Suex OTC SRO", 1, "exact"],
    ["Banco Nacional Cuba", 1, "exact"],
    ["Aerocaribean Airlines", 0.9923, "strong"],
    ["Khoroshev", 0.8333, "possible"],
  ])("%s scores %p", (query, score, band) => {
    const [best, ...others] = FOUR.find(query);
    expect(best?.score).toBeCloseTo(score, 4);
    expect(best?.band).toBe(band as "exact");
    expect(others).toEqual([]);
  });

  test.each(["Banco Central", "Dmitry Petrov", "", "...", "Q"])("%j finds nobody", (query) => {
    expect(FOUR.find(query)).toEqual([]);
  });
});

const MANY = createNameIndex([
  ...list(
    ...["BIN LADIN, Usama bin Muhammad", "ABDUL RAHMAN, Khalid", "CHEN, Desheng", "AL-QAIDA", "JOSÉ MÜLLER-LØKKE"],
    ...["Хорошев Дмитрий Юрьевич", "IVANOV, Sergey Borisovich", "KIM, Jong Sik", "The Company Ltd", "HEZBOLLAH"],
    ...["ALI, Muhammad Hussein Abdullah Karim", "BLUE SKY TRADING CO., LTD", "محمد حسين"],
  ),
  { id: "w", name: "The Engineer", kind: "weak" },
]);
const bandOf = (query: string, name: string): string | undefined =>
  MANY.find(query).find(({ listed }) => listed.name === name)?.band;

describe("one name in many forms", () => {
  test.each([
    ["reordered", "Desheng Chen", "CHEN, Desheng", "exact"],
    ["marks and case", "jose muller lokke", "JOSÉ MÜLLER-LØKKE", "exact"],
    ["split", "Chen De Sheng", "CHEN, Desheng", "exact"],
    ["split and reordered", "De Sheng Chen", "CHEN, Desheng", "strong"],
    ["rejoined", "Khalid Abdulrahman", "ABDUL RAHMAN, Khalid", "strong"],
    ["one word for two", "alqaida", "AL-QAIDA", "exact"],
    ["two words for one", "Hez Bollah", "HEZBOLLAH", "exact"],
    ["a typo", "Sergey Borisovich Ivannov", "IVANOV, Sergey Borisovich", "strong"],
    ["a middle name left out", "Sergey Ivanov", "IVANOV, Sergey Borisovich", "possible"],
    ["initials", "S. B. Ivanov", "IVANOV, Sergey Borisovich", "possible"],
    ["Latin for Cyrillic", "Dmitry Yuryevich Khoroshev", "Хорошев Дмитрий Юрьевич", "strong"],
    ["Cyrillic for Latin", "Сергей Борисович Иванов", "IVANOV, Sergey Borisovich", "exact"],
    ["Chinese for Latin", "陈德胜", "CHEN, Desheng", "exact"],
    ["Arabic for Latin", "خالد عبد الرحمن", "ABDUL RAHMAN, Khalid", "possible"],
    ["Arabic for Arabic", "حسين محمد", "محمد حسين", "exact"],
    ["without the form of the company", "Blue Sky Trading", "BLUE SKY TRADING CO., LTD", "exact"],
    ["nothing but such words", "company ltd the", "The Company Ltd", "exact"],
    ["a weak alias as it stands", "Engineer", "The Engineer", "exact"],
  ])("%s", (_, query, name, band) => expect(bandOf(query, name)).toBe(band));

  test("one surname says little about a name of five parts", () => {
    expect(bandOf("Ali", "ALI, Muhammad Hussein Abdullah Karim")).toBeUndefined();
  });

  test("a weak alias is never nearly right", () => {
    expect(bandOf("Enginer", "The Engineer")).toBeUndefined();
    expect(bandOf("Engineer Ivanov", "The Engineer")).toBeUndefined();
  });

  test("the words that were matched are reported, and the threshold can be raised only", () => {
    expect(FOUR.find("Dmitri Khoroshev")[0]?.aligned).toEqual([
      { query: "khoroshev", listed: "khoroshev", similarity: 1 },
      { query: "dmitri", listed: "dmitry", similarity: expect.closeTo(0.9333, 4) },
    ]);
    expect(FOUR.find("Dmitri Khoroshev", { threshold: 0.9 })).toEqual([]);
    expect(FOUR.find("Banco Central", { threshold: 0.1 })).toEqual([]);
    expect(MANY.find("Chen Desheng", { limit: 0 })).toEqual([]);
  });
});
