/** A product's form: it makes the call from the page and lays out the answer, or pays by hand. */
import { layOutAnswer } from "./answer/to-dom.js";
import { readCall } from "./call-form.js";
import "./wallet.js";
import "./watch-form.js";

for (const form of document.querySelectorAll("[data-play]")) {
  const [box, status] = ["[data-answer]", "[data-told]"].map((one) => form.parentElement.querySelector(one));
  const names = form.querySelector("[data-fields]");
  const chips = [...form.querySelectorAll("[data-field]")];
  const listNames = () => names.value.split(",").filter((name) => name !== "");
  const press = () => {
    for (const chip of chips) chip.setAttribute("aria-pressed", String(listNames().includes(chip.dataset.field)));
  };
  for (const chip of chips) {
    chip.addEventListener("click", () => {
      const { field } = chip.dataset;
      const had = listNames();
      names.value = (had.includes(field) ? had.filter((name) => name !== field) : [...had, field]).join(",");
      press();
    });
  }
  names?.addEventListener("input", press);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const is_preview = !event.submitter?.hasAttribute("data-price");
    const [url, options] = readCall(form, is_preview);
    // Screen readers read only this line aloud, never an answer of hundreds of lines.
    status.textContent = status.dataset.loading;
    box.setAttribute("aria-busy", "true");
    try {
      const response = await fetch(url, options);
      box.replaceChildren(...layOutAnswer(await response.text(), response.ok));
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
