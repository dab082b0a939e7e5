// Hides the entries of lists that do not have every word of the field, and groups without entries.
const field = document.querySelector("#filter");
const groups = [...document.querySelectorAll(".find section")].map((section) => ({
  section,
  entries: [...section.querySelectorAll("li")].map((entry) => ({
    entry,
    text: `${section.querySelector("h3").textContent} ${entry.textContent}`.toLowerCase(),
  })),
}));

function filter() {
  const words = field.value.toLowerCase().split(/\s+/);
  for (const { section, entries } of groups) {
    for (const { entry, text } of entries) entry.hidden = !words.every((word) => text.includes(word));
    section.hidden = entries.every(({ entry }) => entry.hidden);
  }
}

field.addEventListener("input", filter);
// A browser may restore typed text when the page is loaded again.
filter();

// Commands name the server that the page is from.
for (const place of document.querySelectorAll(".origin")) place.textContent = location.origin;
