import { randomInt } from "node:crypto";
import { inviteCodeLength } from "./limits.js";

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const pattern = new RegExp(`^[A-Za-z0-9]{${inviteCodeLength}}$`);

/** An unguessable code (docs/interface.md#4.16). */
export function createInviteCode(): string {
  return Array.from({ length: inviteCodeLength }, () => alphabet.charAt(randomInt(alphabet.length))).join("");
}

/** Whether the text may be a code at all; what may not is looked up nowhere. */
export function isInviteCode(text: string): boolean {
  return pattern.test(text);
}
