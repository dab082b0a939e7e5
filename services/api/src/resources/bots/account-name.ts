import { randomBytes } from "node:crypto";

/** The slug of a name without any character that account names may have. */
const nameless = "bot";

/** The account name of a new bot (docs/interface.md#12): slug of its name, `-bot-`, 8 random hex characters. */
export function botAccountName(name: string): string {
  return `${slugOf(name)}-bot-${randomBytes(4).toString("hex")}`;
}

function slugOf(name: string): string {
  const slug = name
    // Accents are removed, their letters stay.
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    // Compatibility forms can make the text longer than the name was.
    .slice(0, 64)
    .replace(/^-|-$/g, "");
  return slug === "" ? nameless : slug;
}
