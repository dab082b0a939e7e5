/** As `errors.ts`, for what people do once they are in. */
export const refusals = {
  invite_not_found: "This invite doesn’t exist.",
  invite_expired: "This invite has expired.",
  invite_used_up: "This invite has been used up.",
  banned: "You are banned from this server.",
  message_content_length: "Messages have 1 to 4,000 characters.",
  send_messages_required: "You can’t send messages in this channel.",
  cannot_message_user: "You can’t send messages to this person.",
  group_full: "The group is full.",
  groups_limit_reached: "You or somebody you are adding is in as many groups as possible.",
  cannot_moderate_above: "You can’t do this to someone at or above your highest role.",
  timed_out: "You are timed out and can’t write at the moment.",
  newcomers_cannot_write:
    "New members of this server can’t write yet. It asks for some time or a verified email address first.",
  rules_not_accepted: "Accept the rules of this server first.",
  under_raid: "This server isn’t accepting new members at the moment. Try again later.",
  word_filtered: "Message blocked by word filter",
  duplicate_message: "You have just sent the same message.",
  emoji_image_type: "Pictures must be PNG, JPEG, WebP or GIF files.",
  image_too_large: "Pictures may have up to 8 MB.",
  image_unreadable: "This picture can’t be read. Choose another one.",
} as const;
