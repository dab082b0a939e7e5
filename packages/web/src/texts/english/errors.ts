/**
 * Errors that people meet often on the way in, by the code that the server answers with (docs/reference/errors.md). An error without an
 * entry is shown in the server's own words.
 */
export const errors = {
  wrong_credentials: "Wrong username or password.",
  second_factor_invalid: "That code isn’t right. Try the newest one.",
  passkey_invalid: "That passkey isn’t known here, or it took too long. Try again.",
  passkeys_missing: "This account has no passkeys.",
  account_disabled: "This account has been disabled.",
  wrong_password: "Wrong password.",
  username_invalid: "Usernames have 2 to 32 characters: letters, digits and underscores.",
  password_length: "Passwords have 8 to 128 characters.",
  email_invalid: "That isn’t an email address.",
  registration_closed: "New accounts are closed here at the moment.",
  invite_code_required: "You need a valid invite code to register here.",
  username_taken: "Somebody already has that username.",
  email_taken: "An account with that email address already exists.",
  reset_token_invalid: "That code is wrong or has expired. Ask for a new one.",
  verification_token_invalid: "That code is wrong or has expired. Ask for a new one.",
  email_not_configured: "This server can’t send email.",
  invite_not_found_or_expired: "This invite has expired or never existed.",
  sign_in_account_missing: "You have no account here. Ask an administrator for one.",
  sign_in_domain_refused: "You need a verified email address of your organisation.",
  rate_limited: "That was a bit fast. Wait a moment and try again.",
  unavailable: "The server isn’t available right now. Try again in a moment.",
  internal: "Something went wrong on the server. Try again.",
} as const;
