// The part of a page that changes by itself; without script it changes when the page is loaded again.
const live = document.querySelector("#live");
if (live && "EventSource" in window) {
  const source = new EventSource(`/admin/events?of=${encodeURIComponent(live.dataset.of ?? "")}`);
  source.addEventListener("page", (event) => {
    // The node's own markup, escaped where it was made.
    live.innerHTML = JSON.parse(event.data);
  });
  // A session that ended is not asked for again and again.
  source.addEventListener("ended", () => source.close());
}
