import { type PermissionName, permissionBits, type RightName } from "@parley/contracts";

/** Bits of Discord by the permission of ours that they stand for (docs/discord.md#rest); the first is the one it is read from. */
const counterparts: Record<PermissionName, readonly number[]> = {
  VIEW_CHANNEL: [10, 16],
  SEND_MESSAGES: [11, 38, 14, 18, 31],
  MANAGE_MESSAGES: [13, 51],
  ATTACH_FILES: [15],
  ADD_REACTIONS: [6],
  CONNECT_VOICE: [20],
  SPEAK: [21],
  MUTE_MEMBERS: [40, 22],
  KICK_MEMBERS: [1],
  BAN_MEMBERS: [2],
  MANAGE_CHANNELS: [4],
  MANAGE_ROLES: [28],
  MANAGE_SERVER: [5, 29],
  ADMINISTRATOR: [3],
  CREATE_INVITES: [0],
};
const names = Object.keys(counterparts) as PermissionName[];

/** Our bits as Discord's, in decimal digits. */
export function toDiscordBits(permissions: number): string {
  let bits = 0n;
  for (const name of names) {
    if ((permissions & permissionBits[name]) === 0) continue;
    for (const bit of counterparts[name]) bits |= 1n << BigInt(bit);
  }
  return bits.toString();
}

/** Bits of Discord that roles have by something else than our bits. */
const rightsByBit = { 17: "mention_everyone", 7: "view_audit_log" } as const satisfies Record<number, RightName>;
const rightEntries = Object.entries(rightsByBit).map(([bit, right]) => [BigInt(bit), right] as const);
/**
 * Everybody may change their own name; members who may kick may change the names of others
 * (docs/protocol/communities.md#28.4).
 */
const nameBits: readonly (readonly [bit: number, needed: number])[] = [
  [26, permissionBits.VIEW_CHANNEL],
  [27, permissionBits.KICK_MEMBERS],
];

/** Bits and rights of a role as Discord's bits, in decimal digits. */
export function toRoleBits(permissions: number, rights: readonly RightName[]): string {
  let bits = BigInt(toDiscordBits(permissions));
  for (const [bit, right] of rightEntries) if (rights.includes(right)) bits |= 1n << bit;
  for (const [bit, needed] of nameBits) if (permissions & needed) bits |= 1n << BigInt(bit);
  return bits.toString();
}

/** The rights of a role whose bits a bot sets: those without a counterpart stay. */
export function rightsFromBits(bits: bigint, before: readonly RightName[]): RightName[] {
  const others = before.filter((right) => !rightEntries.some(([, known]) => known === right));
  return [...others, ...rightEntries.filter(([bit]) => (bits >> bit) & 1n).map(([, right]) => right)];
}

/** What members need who have one of Discord's bits; nobody has others, or by rights alone. */
const neededByBit: readonly (readonly [bit: bigint, needed: number])[] = [
  ...names.flatMap((name) => counterparts[name].map((bit) => [BigInt(bit), permissionBits[name]] as const)),
  ...nameBits.map(([bit, needed]) => [BigInt(bit), needed] as const),
];

/**
 * The bits of ours that a member needs to have all of Discord's. Where ours cannot say it, and where Discord's are none,
 * that is for administrators alone: the command of a bot must not be open to more people than it says.
 */
export function neededPermissions(bits: bigint): number {
  let needed = 0;
  let rest = bits;
  for (const [bit, permission] of neededByBit) {
    if (((bits >> bit) & 1n) === 0n) continue;
    needed |= permission;
    rest &= ~(1n << bit);
  }
  return bits === 0n || rest !== 0n ? needed | permissionBits.ADMINISTRATOR : needed;
}

/** Discord's bits as ours; those without a counterpart count for nothing. */
export function fromDiscordBits(bits: bigint): number {
  let permissions = 0;
  for (const name of names) {
    const [bit = 0] = counterparts[name];
    if ((bits >> BigInt(bit)) & 1n) permissions |= permissionBits[name];
  }
  return permissions;
}
