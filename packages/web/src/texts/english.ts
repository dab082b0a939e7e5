/** The English texts, by screen. Functions take what stands in the middle of a sentence. */
export const english = {
  common: {
    cancel: "Cancel",
    close: "Close",
    save: "Save",
    loading: "Loading",
    unreachable: "The server cannot be reached. Check your connection and try again.",
    failed: "Something went wrong. Try again.",
  },
  login: {
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
  },
} as const;
