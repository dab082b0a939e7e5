import { internedRoleIdsMax } from "../limits.js";

const noRoles: readonly string[] = [];

/** Interns ids of roles: each is kept in memory once, whatever the number of members that hold it. */
export class RoleIds {
  readonly #known = new Map<string, string>();

  intern(roles: readonly string[]): readonly string[] {
    if (roles.length === 0) return noRoles;
    // Also frees the ids of deleted roles.
    if (this.#known.size > internedRoleIdsMax) this.#known.clear();
    return roles.map((role) => {
      const shared = this.#known.get(role) ?? role;
      this.#known.set(role, shared);
      return shared;
    });
  }
}
