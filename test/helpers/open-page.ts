import type { Page } from "playwright-core";

/** Opens a page of a node and waits until it is shown: with scripts that is two frames after all of it was read. */
export async function openPage(page: Page, url: string): Promise<void> {
  // How long a page takes to come is the machine's affair: the limit of the test is for hangs.
  await page.goto(url, { timeout: 0 });
  await page.locator("html.read, html:not(.js)").waitFor({ state: "attached", timeout: 0 });
}
