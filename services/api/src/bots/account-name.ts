import { randomBytes } from "node:crypto";

/** What stands for a name without a single letter that account names may have. */
const nameless = "bot";

/** The account name of a new bot (docs/interface.md#12): slug of its name, `-bot-`, 8 random hex characters. */
export function botAccountName(name: string): string {
  return `${slugOf(name)}-bot-${randomBytes(4).toString("hex")}`;
}

function slugOf(name: string): string {
  const slug = name
    // Accents go, their letters stay.
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    // Compatibility forms can make the text longer than the name was.
    .slice(0, 64)
    .replace(/^-|-$/g, "");
  return slug === "" ? nameless : slug;
}
