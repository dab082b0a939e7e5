/**
 * Errors that people meet often, by the text that the server answers with (docs/interface.md). An error without an
 * entry is shown in the server's own words.
 */
export const errors = {
  "Invalid username or password": "Wrong username or password.",
  "Invalid second factor code": "That code isn’t right. Try the newest one.",
  "Account is disabled": "This account has been disabled.",
  "Wrong password": "Wrong password.",
  "Username must be 2-32 characters: letters, digits and underscores":
    "Usernames have 2 to 32 characters: letters, digits and underscores.",
  "Password must be 8-128 characters": "Passwords have 8 to 128 characters.",
  "Invalid email address": "That isn’t an email address.",
  "Registration is currently closed": "New accounts are closed here at the moment.",
  "A valid invite code is required": "You need a valid invite code to register here.",
  "Username already taken": "Somebody already has that username.",
  "Email already registered": "An account with that email address already exists.",
  "Invalid or expired reset token": "That code is wrong or has expired. Ask for a new one.",
  "Invalid or expired verification token": "That code is wrong or has expired. Ask for a new one.",
  "E-mail is not configured": "This server can’t send email.",
  "Invite not found": "This invite doesn’t exist.",
  "Invite not found or has expired": "This invite has expired or never existed.",
  "This invite has expired": "This invite has expired.",
  "This invite has reached its maximum uses": "This invite has been used up.",
  "You are banned from this server": "You are banned from this server.",
  "Message content must be 1-4000 characters": "Messages have 1 to 4,000 characters.",
  "You don't have permission to send messages in this channel": "You can’t send messages in this channel.",
  "User is timed out": "You are timed out and can’t write at the moment.",
  "Message blocked by word filter": "Message blocked by word filter",
  "Duplicate message blocked": "You have just sent the same message.",
  "Too many requests": "That was a bit fast. Wait a moment and try again.",
  "Service unavailable": "The server isn’t available right now. Try again in a moment.",
  "Internal server error": "Something went wrong on the server. Try again.",
} as const;
