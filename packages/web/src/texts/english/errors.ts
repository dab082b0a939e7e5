/**
 * Errors that people meet often, by the code that the server answers with (docs/interface.md). An error without an
 * entry is shown in the server's own words.
 */
export const errors = {
  wrong_credentials: "Wrong username or password.",
  second_factor_invalid: "That code isn’t right. Try the newest one.",
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
  invite_not_found: "This invite doesn’t exist.",
  invite_not_found_or_expired: "This invite has expired or never existed.",
  invite_expired: "This invite has expired.",
  invite_used_up: "This invite has been used up.",
  banned: "You are banned from this server.",
  message_content_length: "Messages have 1 to 4,000 characters.",
  send_messages_required: "You can’t send messages in this channel.",
  timed_out: "You are timed out and can’t write at the moment.",
  word_filtered: "Message blocked by word filter",
  duplicate_message: "You have just sent the same message.",
  rate_limited: "That was a bit fast. Wait a moment and try again.",
  unavailable: "The server isn’t available right now. Try again in a moment.",
  internal: "Something went wrong on the server. Try again.",
} as const;
