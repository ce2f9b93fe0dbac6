import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

/** GitHub's anchors: lower case, blanks to hyphens, punctuation gone. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(" ", "-");

/** Links of a Markdown file that lead to no file, or to no heading of one. */
export function listBroken(file: string): readonly string[] {
  const text = readFileSync(file, "utf8").replace(/```[\s\S]*?```/g, "");
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
  return links.filter((link) => {
    if (/^[a-z]+:/.test(link)) return false;
    const [path = "", anchor = ""] = link.split("#");
    const target = path === "" ? file : normalize(join(dirname(file), path));
    if (!existsSync(target)) return true;
    if (anchor === "" || !target.endsWith(".md")) return false;
    const content = readFileSync(target, "utf8");
    const headings = [...content.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => anchorOf(heading));
    return !headings.includes(anchor) && !content.includes(`id="${anchor}"`);
  });
}
