import { getOwn } from "../../core/own.ts";
import { listQuickStarts, renderQuickStart } from "../quick-starts.ts";
import type { SurfaceModel } from "../types.ts";
import { AGENT_FILE, GUIDE_GROUPS, GUIDE_SOURCES } from "./sources.ts";
import {
  anchorOf,
  firstSentence,
  type GuideSection,
  type Heading,
  listHeadings,
  splitSections,
  titleOf,
} from "./split.ts";

/** One task of the guide. */
export interface GuidePage {
  readonly path: string;
  readonly group: string;
  readonly title: string;
  /** One sentence. */
  readonly summary: string;
  /** Markdown without a title; its links are those of docs/. */
  readonly text: string;
  readonly headings: readonly Heading[];
  /** The document it is of, beside which its links are meant; "" for what is made from the catalog. */
  readonly file: string;
  /** Anchors that the document has here, its own beginning as "". */
  readonly anchors: readonly string[];
}

const GUIDE_FOLDER = "/guide/";
const QUICK_STARTS = "Programs";

/** Letters of a page that fit a few screens of a phone. */
const CHARS_MAX = 5_000;
/** What only operators and authors of plugins do: buyers are not sent there. */
const NOT_FOR_BUYERS = /^for (?:the )?(?:operators?|plugins)$/i;

const EXAMPLE_URL = "https://node.example.com";

/** A document with this node's address. */
const withAddress = (text: string, { node }: Pick<SurfaceModel, "node">): string =>
  text.replaceAll(EXAMPLE_URL, node.public_url).replaceAll("node.example.com", new URL(node.public_url).host);

const charsOf = ({ text }: GuideSection): number => text.length;

/** A section that is too long for a page, by the headings inside of it. */
const cutSection = (section: GuideSection): readonly GuideSection[] =>
  charsOf(section) <= CHARS_MAX
    ? [section]
    : splitSections(section.text, 3).map(({ heading, text }) => ({ heading: heading || section.heading, text }));

/** Sections side by side on pages of a bearable length. */
function packSections(sections: readonly GuideSection[]): readonly (readonly GuideSection[])[] {
  const packed: GuideSection[][] = [];
  for (const section of sections) {
    const last = packed.at(-1);
    const used = (last ?? []).reduce((sum, one) => sum + charsOf(one), 0);
    if (last && used + charsOf(section) <= CHARS_MAX) last.push(section);
    else packed.push([section]);
  }
  return packed;
}

type Draft = Pick<GuidePage, "path" | "group" | "title" | "text" | "file" | "anchors">;

const finish = (draft: Draft): GuidePage => ({
  ...draft,
  summary: firstSentence(draft.text),
  headings: listHeadings(draft.text),
});

const textOf = ({ heading, text }: GuideSection): string => (heading === "" ? text : `## ${heading}\n\n${text}`);
const slugOf = (file: string): string => file.replace(/\.md$/, "");
/** Headings inside of a section are found on its page, too. */
const anchorsOf = (section: GuideSection): readonly string[] => [
  anchorOf(section.heading),
  ...listHeadings(section.text).map(({ id }) => id),
];

/** A document as one page, or as some where it is long: the first has its title, the others that of their beginning. */
function pagesOf(file: string, group: string, text: string): readonly GuidePage[] {
  const sections = splitSections(text)
    .filter(({ heading }) => !NOT_FOR_BUYERS.test(heading))
    .flatMap(cutSection);
  const title = titleOf(text);
  const [short = title] = title.split(": ");
  return packSections(sections).map((own, index) => {
    const [first] = own;
    const heading = first?.heading ?? "";
    return finish({
      path: `${GUIDE_FOLDER}${slugOf(file)}${index === 0 ? "" : `-${anchorOf(heading)}`}`,
      group,
      title: index === 0 ? title : `${short}: ${heading}`,
      text: own.map((one, place) => (index > 0 && place === 0 ? one.text : textOf(one))).join("\n\n"),
      file,
      anchors: own.flatMap(anchorsOf),
    });
  });
}

function listPages(model: SurfaceModel): readonly GuidePage[] {
  const read = (file: string): string => withAddress(getOwn(GUIDE_SOURCES, file) ?? "", model);
  const agent = splitSections(read(AGENT_FILE));
  const told = GUIDE_GROUPS.flatMap(({ title: group, entries }) =>
    entries.flatMap((entry): readonly GuidePage[] => {
      if ("file" in entry) return pagesOf(entry.file, group, read(entry.file));
      const section = agent.find(({ heading }) => heading === entry.section);
      if (!section) return [];
      const path = `${GUIDE_FOLDER}${anchorOf(entry.title)}`;
      return [
        finish({ path, group, title: entry.title, text: section.text, file: AGENT_FILE, anchors: anchorsOf(section) }),
      ];
    }),
  );
  const programs = listQuickStarts(model).map((one) =>
    finish({
      path: `${GUIDE_FOLDER}start-${one.id}`,
      group: QUICK_STARTS,
      title: one.title,
      text: renderQuickStart(one),
      file: "",
      anchors: [],
    }),
  );
  return [...told, ...programs];
}

const made = new WeakMap<SurfaceModel, readonly GuidePage[]>();

/** The guide as pages, one a task, in the order in which they are read. */
export function listGuidePages(model: SurfaceModel): readonly GuidePage[] {
  const pages = made.get(model) ?? listPages(model);
  made.set(model, pages);
  return pages;
}

/** Documents that are a page of another kind, by their file. */
const OTHER_PAGES: Readonly<Record<string, string>> = {
  "errors.md": "/errors",
  "buyers/README.md": "/guide#programs",
  "fields.md": "/docs",
};

/**
 * Where a link of a document leads on this node.
 * @returns null for what this node does not serve, such as a source file.
 */
export function resolveGuideLink(href: string, from: GuidePage, pages: readonly GuidePage[]): string | null {
  if (/^(?:https?:|mailto:|\/)/.test(href)) return href;
  const [file = "", anchor = ""] = href.split("#");
  const name = file.replace(/^\.\//, "");
  const other = Object.hasOwn(OTHER_PAGES, name) ? OTHER_PAGES[name] : undefined;
  if (other !== undefined) return anchor === "" ? other : `${other.split("#")[0]}#${anchor}`;
  const start = /^buyers\/(.*)\.md$/.exec(name)?.[1];
  if (start !== undefined) return pages.find(({ path }) => path === `${GUIDE_FOLDER}start-${start}`)?.path ?? null;
  const found = pages.find((page) => page.file === (name === "" ? from.file : name) && page.anchors.includes(anchor));
  if (!found) return null;
  // The heading of a page is its title, to which no anchor is needed.
  const has_anchor = found.headings.some(({ id }) => id === anchor);
  if (!has_anchor) return found.path;
  return found === from ? `#${anchor}` : `${found.path}#${anchor}`;
}
