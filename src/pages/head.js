/**
 * Shows a page once all of it was read: times in the reader's zone, columns and wrapped lines take their place before
 * they are seen, so nothing moves. Without a script the page shows as it comes.
 */
(() => {
  const root = document.documentElement;
  root.classList.add("js");
  const show = () => root.classList.add("read");
  // A page that stops coming is shown as far as it came.
  setTimeout(show, 10_000);
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
  document.addEventListener("DOMContentLoaded", () => {
    for (const time of document.querySelectorAll("time[datetime]")) showHere(time);
    // The next frame lays the page out unseen, and the one after it shows the same.
    requestAnimationFrame(() => requestAnimationFrame(show));
  });
})();
