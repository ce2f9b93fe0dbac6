/** A product's form: the call is made in place, and what came back is shown as it came; or it is paid by hand. */
import { make, makeAnswer, readCall } from "./call-form.js";
import "./wallet.js";

for (const form of document.querySelectorAll("[data-play]")) {
  const box = form.parentElement.querySelector("[data-answer]");
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const is_preview = !event.submitter?.hasAttribute("data-price");
    const [url, options] = readCall(form, is_preview);
    box.hidden = false;
    box.replaceChildren(make("p", "…"));
    try {
      const response = await fetch(url, options);
      const line = `${options.method} ${url} → ${response.status} ${response.statusText}`;
      box.replaceChildren(make("p", line), makeAnswer(await response.text()));
    } catch (error) {
      box.replaceChildren(make("p", error instanceof Error ? error.message : String(error)));
    }
  });
}
