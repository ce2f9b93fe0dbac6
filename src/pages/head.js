/**
 * What a page shows from its first frame: times in the reader's zone beside those in UTC. It runs in the head, because
 * a text that grows after it was painted moves what stands beside it.
 */
(() => {
  const root = document.documentElement;
  root.classList.add("js");
  const { lang } = root;
  const dayOf = (at) => new Intl.DateTimeFormat(lang, { day: "2-digit", month: "2-digit" }).format(at);
  const showHere = (time) => {
    // An age is a duration, which is no moment.
    const at = new Date(time.dateTime);
    if (Number.isNaN(at.getTime()) || at.getTimezoneOffset() === 0) return;
    const here = at.toLocaleTimeString(lang, { hour: "2-digit", minute: "2-digit", timeZoneName: "short" });
    const is_same_day = at.getDate() === at.getUTCDate();
    time.append(` (${is_same_day ? "" : `${dayOf(at)} `}${here})`);
  };
  /** All times of the page so far, in order; the list grows while the page is read. */
  const times = document.getElementsByTagName("time");
  let shown = 0;
  const showRead = () => {
    let last = root;
    while (last.lastChild) last = last.lastChild;
    // The text of the time that is being read may still be coming.
    while (shown < times.length && (document.readyState !== "loading" || !times[shown].contains(last))) {
      showHere(times[shown]);
      shown += 1;
    }
  };
  const reading = new MutationObserver(showRead);
  reading.observe(root, { childList: true, subtree: true });
  document.addEventListener("DOMContentLoaded", () => {
    reading.disconnect();
    showRead();
    root.classList.add("read");
  });
})();
