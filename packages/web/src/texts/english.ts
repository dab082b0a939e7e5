import { account } from "./english/account.js";
import { administration } from "./english/administration.js";
import { auditLog } from "./english/audit-log.js";
import { conversation } from "./english/conversation.js";
import { search } from "./english/search.js";
import { serverSettings } from "./english/server-settings.js";
import { shell } from "./english/shell.js";
import { voice } from "./english/voice.js";

/** The English texts, by screen. Functions take what stands in the middle of a sentence. */
export const english = {
  common: {
    cancel: "Cancel",
    close: "Close",
    copied: "Copied",
    copy: "Copy",
    retry: "Try again",
    save: "Save",
    loading: "Loading",
    unreachable: "The server cannot be reached. Check your connection and try again.",
    partMissing: "This part could not be loaded. There may be a new version of this page, or no connection.",
    loadAgain: "Load the page again",
    failed: "Something went wrong. Try again.",
    goneAccount: "A deleted account",
  },
  account,
  administration,
  auditLog,
  search,
  serverSettings,
  voice,
  conversation,
  shell,
  login: {
    brand: "Parley",
    title: "Welcome back",
    username: "Username",
    password: "Password",
    code: "Code of your authenticator, or a recovery code",
    submit: "Log in",
    register: "Create an account",
    instead: "I have an account",
    registerTitle: "Create an account",
    registerSubmit: "Register",
    email: "E-mail (optional)",
    inviteCode: "Invite code",
    closed: "This server does not take new accounts.",
    usernameHint: "2 to 32 letters, digits or underscores.",
    passwordHint: "At least 8 characters.",
    forgot: "I forgot my password",
    resetTitle: "Reset the password",
    resetExplanation: "If the address belongs to an account, a mail with a code is sent to it.",
    resetEmail: "E-mail of the account",
    resetSend: "Send the mail",
    resetToken: "Code from the mail, or from an administrator",
    resetPassword: "New password",
    resetSubmit: "Set the password",
    resetDone: "The password is set. Log in with it.",
  },
} as const;
