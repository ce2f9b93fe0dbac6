import type { SimulatedListing } from "./simulated-listing.ts";

/** The sandbox's lists that have an entry, by their simulators' names. */
type Lists = readonly ("sdn" | "eu" | "un" | "uk")[];
type Facts = Pick<SimulatedListing, "last" | "program"> & Partial<SimulatedListing> & { readonly lists: Lists };

const US: Lists = ["sdn"];
/** Listed by all three on their own. */
const WEST: Lists = ["sdn", "eu", "uk"];
/** The Union and the United Kingdom take over what the Security Council lists. */
const UN: Lists = ["un", "eu", "uk"];

const alias = (name: string) => ({ name, is_weak: false });
const weak = (name: string) => ({ name, is_weak: true });
const eth = (address: string) => ({ currency: "ETH", address });
const xbt = (address: string) => ({ currency: "XBT", address });

/**
 * Public entries of the real lists, for the sandbox to find whom everybody tries first; their numbers are the sandbox's
 * own. Names, years of birth and programmes are those of OFAC's files of 2021 and their alternative names of 2025, and
 * of the UN's (moov-io/watchman test/testdata @d299005fe25f, Apache-2.0); wallets, of OFAC's list of 2024-09
 * (0xB10C/ofac-sanctioned-digital-currency-addresses @f2aee226). What those files lack is from copies and reports of
 * OFAC's and the United Kingdom's notices: PUTIN, LAVROV, SHOIGU, MEDVEDEV, ABRAMOVICH and CHEN (without years of birth
 * but for the first: none was found), Garantex, the three banks, Hydra to Prince Group. That the Union and the United
 * Kingdom list WEST too is from press reports, and was not looked up for PATRUSHEV, LUKASHENKA and Bank Rossiya.
 */
const PERSONS: readonly Facts[] = [
  {
    last: "PUTIN",
    first: "Vladimir Vladimirovich",
    program: "RUSSIA-EO14024",
    born: "07 Oct 1952",
    lists: WEST,
    aliases: [alias("ПУТИН, Владимир Владимирович")],
  },
  {
    last: "LAVROV",
    first: "Sergei Viktorovich",
    program: "RUSSIA-EO14024",
    lists: WEST,
    aliases: [alias("ЛАВРОВ, Сергей Викторович")],
  },
  {
    last: "SHOIGU",
    first: "Sergei Kuzhugetovich",
    program: "RUSSIA-EO14024",
    lists: WEST,
    aliases: [alias("ШОЙГУ, Сергей Кужугетович")],
  },
  { last: "PATRUSHEV", first: "Nikolai Platonovich", program: "UKRAINE-EO13661", born: "11 Jul 1951", lists: WEST },
  { last: "SECHIN", first: "Igor Ivanovich", program: "UKRAINE-EO13661", born: "07 Sep 1960", lists: WEST },
  { last: "DERIPASKA", first: "Oleg Vladimirovich", program: "UKRAINE-EO13661", born: "02 Jan 1968", lists: WEST },
  { last: "PRIGOZHIN", first: "Yevgeniy Viktorovich", program: "CYBER2", born: "01 Jun 1961", lists: WEST },
  { last: "KADYROV", first: "Ramzan Akhmatovich", program: "GLOMAG", born: "05 Oct 1976", lists: WEST },
  {
    last: "LUKASHENKA",
    first: "Alyaksandr Hryhoryavich",
    program: "BELARUS",
    born: "30 Aug 1954",
    lists: WEST,
    aliases: [alias("LUKASHENKO, Alexander Grigoryevich")],
  },
  { last: "KIM", first: "Jong Un", program: "DPRK3", born: "08 Jan 1984", lists: US },
  { last: "PARK", first: "Jin Hyok", program: "DPRK3", born: "15 Aug 1984", lists: US },
  {
    last: "YAKUBETS",
    first: "Maksim Viktorovich",
    program: "CYBER2",
    born: "20 May 1987",
    lists: US,
    aliases: [weak("AQUA")],
  },
  {
    last: "BOGACHEV",
    first: "Evgeniy Mikhaylovich",
    program: "CYBER2",
    born: "28 Oct 1983",
    lists: US,
    aliases: [weak("Slavik")],
  },
  {
    last: "KHORASHADIZADEH",
    first: "Ali",
    program: "CYBER2",
    born: "21 Sep 1979",
    lists: US,
    wallets: [xbt("149w62rY42aZBox8fGcmqNsXUzSStKeq8C")],
  },
  {
    last: "GHORBANIYAN",
    first: "Mohammad",
    program: "CYBER2",
    born: "09 Mar 1987",
    lists: US,
    wallets: [xbt("1AjZPMsnmpdK2Rv9KQNfMurTXinscVro9V")],
  },
  {
    last: "OULD EL AMAR",
    first: "Abderrahmane",
    program: "Al-Qaida",
    born: "1977 to 1982",
    lists: UN,
    aliases: [alias("Ahmed el Tilemsi"), alias("عبد الرحمن ولد العامر")],
  },
  {
    last: "HAQQANI",
    first: "Sirajuddin Jallaloudine",
    program: "Taliban",
    born: "circa 1977 to 1978",
    lists: UN,
    aliases: [alias("Siraj Haqqani")],
  },
  {
    last: "AKHUND",
    first: "Mohammad Hassan",
    program: "Taliban",
    born: "circa 1955 to 1958; 1945 to 1950",
    lists: UN,
    aliases: [alias("محمد حسن آخوند")],
  },
  { last: "DOST MOHAMMAD", first: "Nik Mohammad", program: "Taliban", born: "circa 1957", lists: UN },
  { last: "AL-TURKI", first: "Hassan Abdullah Hersi", program: "Somalia", born: "circa 1944", lists: UN },
  {
    last: "AL-ZAWAHIRI",
    first: "Aiman Muhammed Rabi",
    program: "Al-Qaida",
    born: "19 Jun 1951",
    lists: UN,
    aliases: [alias("Ayman Al-Zawahari")],
  },
  {
    last: "ZIDANE",
    first: "Mohammed Salahaldin Abd El Halim",
    program: "Al-Qaida",
    born: "11 Apr 1963; 11 Apr 1960",
    lists: UN,
    aliases: [alias("Sayf-Al Adl")],
  },
  {
    last: "MAYCHOU",
    first: "Ali",
    program: "Al-Qaida",
    born: "25 May 1983",
    lists: UN,
    aliases: [alias("Abderahmane al Maghrebi")],
  },
  {
    last: "AL-HOUTHI",
    first: "Abd Al-Khaliq",
    program: "Yemen",
    born: "1984",
    lists: UN,
    aliases: [alias("Abd-al-Khaliq al-Huthi")],
  },
  {
    last: "MUDACUMURA",
    first: "Sylvestre",
    program: "DRC",
    born: "1954",
    lists: UN,
    aliases: [alias("Mupenzi Bernard")],
  },
  { last: "BOZIZÉ", first: "François Yangouvonda", program: "CAR", born: "14 Oct 1946; 16 Dec 1948", lists: UN },
  {
    last: "MEDVEDEV",
    first: "Dmitry Anatolyevich",
    program: "RUSSIA-EO14024",
    lists: US,
    aliases: [alias("МЕДВЕДЕВ, Дмитрий Анатольевич")],
  },
  { last: "ABRAMOVICH", first: "Roman Arkadyevich", program: "RUS", lists: ["uk"] },
  { last: "MADURO MOROS", first: "Nicolas", program: "VENEZUELA", born: "23 Nov 1962", lists: US },
  { last: "AL-ASSAD", first: "Bashar", program: "SYRIA", born: "11 Sep 1965", lists: US },
  { last: "KHAMENEI", first: "Ali Husseini", program: "IRAN-EO13876", born: "19 Apr 1939", lists: US },
  {
    last: "NASRALLAH",
    first: "Hasan",
    program: "SDGT",
    born: "31 Aug 1960; 31 Aug 1953; 31 Aug 1955; 31 Aug 1958",
    lists: US,
    aliases: [alias("NASRALLAH, Hasan Abd-al-Karim")],
  },
  { last: "SINWAR", first: "Yahya", program: "SDGT", born: "01 Jan 1961 to 31 Dec 1963", lists: US },
  {
    last: "BIN LADIN",
    first: "Usama bin Muhammad bin Awad",
    program: "SDGT",
    born: "30 Jul 1957; 1958",
    lists: US,
    aliases: [alias("BIN LADIN, Osama bin Muhammad bin Awad"), alias("BIN LADEN, Osama")],
  },
  {
    last: "GUZMAN LOERA",
    first: "Joaquin",
    program: "SDNTK",
    born: "25 Dec 1954",
    lists: US,
    aliases: [alias("GUZMAN, Joaquin Chapo"), alias("GUZMAN, Archibaldo")],
  },
  { last: "CHEN", first: "Zhi", program: "TCO", lists: ["sdn", "uk"] },
  { last: "YUN", first: "Ho-Jin", program: "DPRK", born: "13 Oct 1944", lists: UN, aliases: [alias("Yun Ho-chin")] },
];
const ENTITIES: readonly Facts[] = [
  {
    last: "LAZARUS GROUP",
    program: "DPRK3",
    lists: US,
    aliases: [alias("GUARDIANS OF PEACE"), alias("HIDDEN COBRA"), alias("APT38")],
    wallets: [
      eth("0x098B716B8Aaf21512996dC57EB0615e2383E2f96"),
      eth("0xa0e1c89Ef1a489c9C7dE96311eD5Ce5D32c20E4B"),
      eth("0x3Cffd56B47B7b41c56258D9C7731ABaDc360E073"),
      eth("0x53b6936513e738f44FB50d2b9476730C0Ab3Bfc1"),
    ],
  },
  {
    last: "GARANTEX EUROPE OU",
    program: "RUSSIA-EO14024",
    lists: US,
    wallets: [xbt("3Lpoy53K625zVeE47ZasiG5jGkAxJ27kh1"), eth("0x7FF9cFad3877F21d41Da833E2F775dB0569eE3D9")],
  },
  { last: "EVIL CORP", program: "CYBER2", lists: US, aliases: [alias("DRIDEX GANG")] },
  { last: "INTERNET RESEARCH AGENCY LLC", program: "CYBER2", lists: US },
  {
    last: "PRIVATE MILITARY COMPANY 'WAGNER'",
    program: "UKRAINE-EO13660",
    lists: WEST,
    aliases: [alias("WAGNER GROUP"), alias("PMC WAGNER")],
  },
  { last: "BANK ROSSIYA", program: "UKRAINE-EO13661", lists: WEST },
  { last: "BANK MELLI IRAN", program: "IFSR", lists: US },
  { last: "ISLAMIC REVOLUTIONARY GUARD CORPS", program: "IRGC", lists: US, aliases: [alias("IRGC")] },
  { last: "AL-QAIDA", program: "Al-Qaida", lists: UN, aliases: [alias("Al Qaeda"), alias("القاعدة")] },
  {
    last: "AL-QAIDA IN IRAQ",
    program: "Al-Qaida",
    lists: UN,
    aliases: [
      alias("the Monotheism and Jihad Group"),
      alias("Islamic State in Iraq and the Levant"),
      alias("ISIL"),
      alias("ISIS"),
    ],
  },
  { last: "RECONNAISSANCE GENERAL BUREAU", program: "DPRK", lists: UN, aliases: [alias("KPA Unit 586")] },
  { last: "KOREA UNITED DEVELOPMENT BANK", program: "DPRK", lists: UN },
  {
    last: "GREEN PINE ASSOCIATED CORPORATION",
    program: "DPRK",
    lists: UN,
    aliases: [alias("CHO'NGSONG UNITED TRADING COMPANY")],
  },
  {
    last: "KOREAN NATIONAL INSURANCE COMPANY",
    program: "DPRK",
    lists: UN,
    aliases: [alias("Korea Foreign Insurance Company")],
  },
  {
    last: "HAMAS",
    program: "SDGT",
    lists: US,
    aliases: [alias("ISLAMIC RESISTANCE MOVEMENT"), alias("HARAKAT AL-MUQAWAMA AL-ISLAMIYA")],
  },
  { last: "HIZBALLAH", program: "SDGT", lists: US, aliases: [alias("LEBANESE HEZBOLLAH"), alias("PARTY OF GOD")] },
  { last: "TALIBAN", program: "SDGT", lists: US, aliases: [alias("TALEBAN")] },
  {
    last: "PUBLIC JOINT STOCK COMPANY SBERBANK OF RUSSIA",
    program: "RUSSIA-EO14024",
    lists: US,
    aliases: [alias("SBERBANK ROSSII")],
  },
  { last: "VTB BANK PUBLIC JOINT STOCK COMPANY", program: "RUSSIA-EO14024", lists: US, aliases: [alias("VTB BANK")] },
  { last: "GAZPROMBANK JOINT STOCK COMPANY", program: "RUSSIA-EO14024", lists: US },
  { last: "HYDRA MARKET", program: "CYBER2", lists: US, aliases: [alias("HYDRA MARKETPLACE")] },
  { last: "BLENDER.IO", program: "CYBER2", lists: US },
  { last: "SINBAD", program: "CYBER2", lists: US, aliases: [alias("SINBAD.IO")] },
  { last: "CHATEX", program: "CYBER2", lists: US },
  {
    last: "PRINCE GROUP TRANSNATIONAL CRIMINAL ORGANIZATION",
    program: "TCO",
    lists: ["sdn", "uk"],
    aliases: [alias("PRINCE GROUP")],
  },
  { last: "ALLIED DEMOCRATIC FORCES", program: "DRC", lists: UN },
];

const FIRST_ID = 91_000;
const number =
  (type: SimulatedListing["type"], from: number) =>
  (facts: Facts, index: number): SimulatedListing & { readonly lists: Lists } => ({
    id: from + index,
    type,
    first: "",
    aliases: [],
    wallets: [],
    born: "",
    ...facts,
  });
const ALL = [...PERSONS.map(number("Individual", FIRST_ID)), ...ENTITIES.map(number("Entity", FIRST_ID + 500))];

/** The public entries of one list. */
export const getPublicListings = (list: string): readonly SimulatedListing[] =>
  ALL.filter(({ lists }) => lists.some((one) => one === list));
