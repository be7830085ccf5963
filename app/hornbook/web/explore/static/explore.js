// What pages do besides being links and forms: open steps go into the link, long work is told, names are filtered.
"use strict";

const status = document.getElementById("status");

/** The steps of the proof that are open stand in the link, so that it shows the same to others. */
function keepOpenSteps() {
  const tree = document.getElementById("tree");
  if (!tree) return;
  tree.addEventListener(
    "toggle",
    () => {
      const open = [...tree.querySelectorAll("details[open][id]")].map((each) => each.id.split("-").pop());
      const link = new URL(location.href);
      link.searchParams.set("open", open.join(","));
      history.replaceState(null, "", link);
    },
    true, // `toggle` does not bubble
  );
}

/** A step that is referred to is opened with all that it stands in. */
function openWhatIsMeant() {
  const meant = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let each = meant; each; each = each.parentElement) if (each.tagName === "DETAILS") each.open = true;
  if (meant && meant.tagName === "DETAILS") meant.querySelector("summary").focus();
}

/** While the server works on what was asked, the page says so, and for how long. */
function tellWork() {
  let telling;
  function begin(said) {
    const began = Date.now();
    document.body.setAttribute("aria-busy", "true");
    status.textContent = `${said} …`;
    telling = setInterval(() => {
      status.textContent = `${said} … ${Math.round((Date.now() - began) / 1000)} s`;
    }, 5000);
  }
  for (const form of document.querySelectorAll("form[data-lasts]"))
    form.addEventListener("submit", () => begin(form.dataset.lasts));
  for (const link of document.querySelectorAll("a[data-lasts]"))
    link.addEventListener("click", (event) => {
      if (!event.ctrlKey && !event.metaKey && !event.shiftKey) begin(link.dataset.lasts);
    });
  // Who comes back to a page finds it as it was when it was left.
  addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    clearInterval(telling);
    document.body.removeAttribute("aria-busy");
    status.textContent = "";
  });
}

/** Rows of the table of predicates whose name has what is typed. */
function filterNames() {
  const field = document.getElementById("find");
  const rows = document.querySelectorAll("#found tr");
  if (!field) return;
  field.closest("[hidden]").hidden = false;
  field.addEventListener("input", () => {
    let shown = 0;
    for (const row of rows) {
      row.hidden = !row.cells[0].textContent.includes(field.value.trim());
      shown += row.hidden ? 0 : 1;
    }
    status.textContent = `${shown} of ${rows.length} predicates`;
  });
}

keepOpenSteps();
openWhatIsMeant();
addEventListener("hashchange", openWhatIsMeant);
tellWork();
filterNames();
