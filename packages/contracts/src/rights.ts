/** Rights of docs/protocol/permissions.md#24.2 beside the permission bits: name to value in the database, `value = 1 << shift`. */
export const rightBits = {
  mention_everyone: 1,
  bypass_slow_mode: 2,
  review_reports: 4,
  view_audit_log: 8,
  manage_automod: 16,
  manage_raids: 32,
  use_apps: 64,
} as const;

export type RightName = keyof typeof rightBits;

/** Every right of {@link rightBits}. */
export const allRights = 127;

/** The names in the order of their values. */
export const rightNames = [
  "mention_everyone",
  "bypass_slow_mode",
  "review_reports",
  "view_audit_log",
  "manage_automod",
  "manage_raids",
  "use_apps",
] as const satisfies readonly RightName[];

/** The names of the rights in a sum of {@link rightBits}, in the order of their values. */
export const rightNamesOf = (rights: number): RightName[] =>
  rightNames.filter((name) => (rights & rightBits[name]) !== 0);

/** The sum of {@link rightBits} that names stand for. */
export const rightsOf = (names: readonly RightName[]): number => names.reduce((sum, name) => sum | rightBits[name], 0);
