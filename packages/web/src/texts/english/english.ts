import { account } from "./account.js";
import { administration } from "./administration.js";
import { auditLog } from "./audit-log.js";
import { conversation } from "./conversation.js";
import { errors } from "./errors.js";
import { search } from "./search.js";
import { serverSettings } from "./server-settings.js";
import { shell } from "./shell.js";
import { voice } from "./voice.js";

/** The English texts, by screen. Functions take what stands in the middle of a sentence. */
export const english = {
  common: {
    cancel: "Cancel",
    close: "Close",
    showTyped: "Show what I’m typing",
    copied: "Copied",
    copy: "Copy",
    retry: "Try again",
    save: "Save",
    loading: "Loading",
    moreFor: (name: string) => `More options for ${name}`,
    unreachable: "The server cannot be reached. Check your connection and try again.",
    partMissing: "This part could not be loaded. Parley may have been updated, or you may be offline.",
    loadAgain: "Reload the page",
    failed: "Something went wrong. Try again.",
    goneAccount: "Deleted account",
    sorting: {
      handle: "handle",
      move: (name: string) => `Move ${name}`,
      instructions: "Press Space to pick it up, the arrow keys to move it, Space again to drop it, Escape to cancel.",
      taken: (name: string, place: number, count: number) => `Picked up ${name}, number ${place} of ${count}.`,
      over: (name: string, place: number, count: number) => `${name} is now number ${place} of ${count}.`,
      dropped: (name: string, place: number, count: number) => `Dropped ${name} as number ${place} of ${count}.`,
      cancelled: (name: string) => `Cancelled. ${name} is back where it was.`,
    },
  },
  account,
  administration,
  auditLog,
  search,
  serverSettings,
  voice,
  conversation,
  errors,
  shell,
  login: {
    brand: "Parley",
    title: "Log in to Parley",
    ends: {
      ended:
        "You’ve been logged out. Your session was ended on another device, your password was changed, or you were away for a long time.",
      disabled: "You’ve been logged out because this account was disabled. An administrator can tell you more.",
    },
    username: "Username",
    password: "Password",
    code: "Code from your authenticator app, or a recovery code",
    submit: "Log in",
    register: "Create an account",
    instead: "I already have an account",
    registerTitle: "Create an account",
    registerSubmit: "Create account",
    email: "Email (optional)",
    inviteCode: "Invite code",
    closed: "New accounts are closed here at the moment.",
    usernameHint: "2 to 32 characters: letters, digits and underscores.",
    passwordHint: "At least 8 characters.",
    forgot: "Forgot your password?",
    resetTitle: "Reset your password",
    resetExplanation: "Enter your email address. If it belongs to an account, we’ll send a code to it.",
    resetEmail: "Email address",
    resetSend: "Send code",
    resetToken: "Code from the email, or from an administrator",
    resetPassword: "New password",
    resetSubmit: "Set new password",
    resetDone: "Your password has been changed. Log in with the new one.",
  },
} as const;
