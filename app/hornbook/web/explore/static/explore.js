// Behaviour of pages beyond links and forms: open steps in the URL, a progress message, a filter for names.
"use strict";

const status = document.getElementById("status");

/** Keep the open steps of the proof in the URL, so that a shared link shows the same. */
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

/** Open the step that the fragment refers to, with all its ancestors. */
function openWhatIsMeant() {
  const meant = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let each = meant; each; each = each.parentElement) if (each.tagName === "DETAILS") each.open = true;
  if (meant && meant.tagName === "DETAILS") meant.querySelector("summary").focus();
}

/** Show a message with the elapsed time while the server works on a request. */
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
  // The browser may restore a page in the state in which the user left it.
  addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    clearInterval(telling);
    document.body.removeAttribute("aria-busy");
    status.textContent = "";
  });
}

/** Show only the predicates whose name contains the typed text. */
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
