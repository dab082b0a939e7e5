/** The part of `errorTexts` about apps: commands of bots and what people do with them (docs/interface.md#25). */
export const appErrorTexts = {
  bot_id_invalid: "Invalid bot_id",
  bot_is_revoked: "This bot has been revoked",
  commands_invalid: (fault: string) => `commands${fault}`,
  manage_server_required_to_add_bots: "You need the Manage Server permission to add bots",
  requested_permissions_range: "requested_permissions must be between 0 and 32767",
} as const;
