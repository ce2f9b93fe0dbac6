import { expect, test } from "bun:test";
import { html, renderHtml } from "../html.ts";
import { type ListView, longTable, ROWS_A_PAGE, renderListFilter } from "./list.ts";
import { form } from "./parts.ts";

const rows = Array.from({ length: 60 }, (_, index) => [`job ${index + 1}`, html`<b>state ${index % 2}</b>`]);
const show = (asked: ListView["asked"], given = rows, param?: string): string =>
  renderHtml(
    longTable(
      { name: "Jobs", head: ["Job", "State"], rows: given, ...(param ? { param } : {}) },
      { path: "/admin/jobs", asked },
    ),
  );
const countRows = (page: string): number => page.split("<tr>").length - 2;

test("a list is shown one page at a time, with links to the others that keep the search", () => {
  const first = show({});
  expect(countRows(first)).toBe(ROWS_A_PAGE);
  expect(first).toContain(`1 to ${ROWS_A_PAGE} of 60`);
  expect(first).toContain('href="/admin/jobs?page=2"');
  expect(first).not.toContain('rel="prev"');
  const last = show({ page: "3", show: "failing" });
  expect(countRows(last)).toBe(10);
  expect(last).toContain("job 60");
  expect(last).toContain('href="/admin/jobs?page=2&amp;show=failing"');
  expect(last).not.toContain('rel="next"');
  expect(show({ off_page: "2" }, rows, "off_page")).toContain("26 to 50 of 60");
  expect(show({}, rows.slice(0, 25))).not.toContain("<nav");
});

test("a page number out of range shows the nearest page", () => {
  for (const page of ["0", "-1", "x", "", "1e3"]) expect(show({ page })).toContain("1 to 25 of 60");
  expect(show({ page: "999" })).toContain("51 to 60 of 60");
});

test("a search finds rows that contain every word in any case; markup is not searched", () => {
  expect(countRows(show({ q: "JOB 59" }))).toBe(1);
  expect(countRows(show({ q: "state job", page: "3" }))).toBe(10);
  expect(show({ q: "<b>" })).toContain("None of 60 is like that.");
  const button = form({ op: "run_job", button: "Run", csrf: "secret", back: "/admin/jobs" });
  const hostile = [
    ["<i>&", button],
    ["other", button],
  ];
  expect(countRows(show({ q: "<i>&" }, hostile))).toBe(1);
  for (const q of ["secret", "run"]) expect(show({ q }, hostile)).toContain("None of 2 is like that.");
});

test("the form keeps the typed words and works without script", () => {
  const page = renderHtml(
    renderListFilter({ path: "/admin/jobs", asked: { q: '"<x>', show: "failing" } }, { show: ["failing"] }),
  );
  expect(page).toContain('method="get" action="/admin/jobs"');
  expect(page).toContain("&quot;&lt;x&gt;");
  expect(page).toMatch(/value="failing" selected/);
  expect(page).not.toContain("script");
});
