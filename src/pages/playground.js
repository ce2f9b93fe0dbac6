/** A product's form: the call is made in place, and what came back is shown as it came; or it is paid by hand. */
import { makeAnswer, readCall } from "./call-form.js";
import "./wallet.js";

for (const form of document.querySelectorAll("[data-play]")) {
  const [box, status] = ["[data-answer]", "[data-told]"].map((one) => form.parentElement.querySelector(one));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const is_preview = !event.submitter?.hasAttribute("data-price");
    const [url, options] = readCall(form, is_preview);
    // What is read aloud is this line alone, never an answer of some hundred lines.
    status.textContent = status.dataset.loading;
    box.setAttribute("aria-busy", "true");
    try {
      const response = await fetch(url, options);
      const answer = makeAnswer(await response.text());
      box.replaceChildren(answer);
      box.hidden = false;
      status.textContent = `${options.method} ${url} → ${response.status} ${response.statusText}`;
    } catch (error) {
      box.hidden = true;
      box.replaceChildren();
      status.textContent = error instanceof Error ? error.message : String(error);
    }
    box.removeAttribute("aria-busy");
  });
}
