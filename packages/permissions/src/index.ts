// Reading a member's access: the columns of a statement, and their bits.
export {
  accessColumns,
  accessRole,
  accessRow,
  everyoneColumn,
  overrideRoleOf,
  resolveAccess,
  resolveAccessRights,
} from "./access-columns.js";
// Visibility of one channel, as text.
export { channelRuleOf } from "./channel-rule.js";
// Moderation: whether a member may act on another.
export { decideModeration, type ModerationBit, type ModerationDecision } from "./moderation.js";
// Resolution: from roles and overrides to effective bits.
export {
  defaultPermissions,
  hasPermission,
  type OverrideRule,
  type RoleRule,
  resolveChannelPermissions,
  resolveServerPermissions,
} from "./resolve.js";
// Rights beside the bits.
export { defaultRights, hasRight, impliesRights, resolveRights } from "./rights.js";
// Role hierarchy.
export {
  canActOnRole,
  canGrant,
  canModerateMember,
  defaultRolePosition,
  highestRolePosition,
  type RoleActor,
} from "./role-hierarchy.js";
// Visibility of channels, for one member after another.
export { mayViewChannel, type ServerViewRules, type ViewOverrides } from "./view-rules.js";
