import { randomBytes } from "node:crypto";

/** The account name of a new bot (docs/protocol/apps.md#12): slug of its name, `-bot-`, 8 random hex characters. */
export const botAccountName = (name: string): string => accountNameOf(name, "bot");

/** The name of an account of something that people name: no person can have it, because of its hyphens. */
export function accountNameOf(name: string, kind: "bot" | "webhook"): string {
  return `${slugOf(name, kind)}-${kind}-${randomBytes(4).toString("hex")}`;
}

/** @param nameless for a name without any character that account names may have */
function slugOf(name: string, nameless: string): string {
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
