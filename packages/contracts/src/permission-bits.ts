/** Permission bits of docs/protocol/permissions.md#3.1: name to value, `value = 1 << shift`. */
export const permissionBits = {
  VIEW_CHANNEL: 1,
  SEND_MESSAGES: 2,
  MANAGE_MESSAGES: 4,
  ATTACH_FILES: 8,
  ADD_REACTIONS: 16,
  CONNECT_VOICE: 32,
  SPEAK: 64,
  MUTE_MEMBERS: 128,
  KICK_MEMBERS: 256,
  BAN_MEMBERS: 512,
  MANAGE_CHANNELS: 1024,
  MANAGE_ROLES: 2048,
  MANAGE_SERVER: 4096,
  ADMINISTRATOR: 8192,
  CREATE_INVITES: 16384,
} as const;

export type PermissionName = keyof typeof permissionBits;

/** Every bit of {@link permissionBits} set; a bitfield above this is refused. */
export const allPermissionBits = 32767;
