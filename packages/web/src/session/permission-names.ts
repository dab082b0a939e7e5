import { type PermissionName, permissionBits } from "@parley/contracts";

const isPermissionName = (name: string): name is PermissionName => name in permissionBits;

/** All names of permissions, in the order of the bits (docs/interface.md#3.1). */
export const permissionNames: readonly PermissionName[] = Object.keys(permissionBits).filter(isPermissionName);

/** Those that count inside a channel's override. */
export const channelPermissionNames: readonly PermissionName[] = permissionNames.filter(
  (name) => permissionBits[name] <= permissionBits.SPEAK || name === "MANAGE_CHANNELS",
);
