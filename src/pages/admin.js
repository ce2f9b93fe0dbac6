// The part of a page that is updated by script; without script it changes at the next load of the page.
const live = document.querySelector("#live");
if (live && "EventSource" in window) {
  const source = new EventSource(`/admin/events?of=${encodeURIComponent(live.dataset.of ?? "")}`);
  source.addEventListener("page", (event) => {
    // The node's own markup, escaped where it was made.
    live.innerHTML = JSON.parse(event.data);
  });
  // An ended session stops the updates.
  source.addEventListener("ended", () => source.close());
}
