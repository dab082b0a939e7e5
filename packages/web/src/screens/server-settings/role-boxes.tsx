import { type PermissionName, permissionBits, type RightName, rightNames } from "@parley/contracts";
import { permissionNames } from "../../state/access/permissions.js";
import { texts } from "../../texts/texts.js";
import { Checkbox } from "../../ui/forms/field.js";
import styles from "./server-settings.module.css";

/** The permissions that everybody may get: not to be an administrator. */
export const everyonePermissions = permissionNames.filter((name) => name !== "ADMINISTRATOR");

/** A box for each permission, in a form's fields named `permission`. */
export function PermissionBoxes({
  permissions,
  names = permissionNames,
}: {
  /** The bits of those that are ticked. */
  permissions: number;
  /** Those that can be ticked. */
  names?: readonly PermissionName[];
}) {
  const labels = texts.serverSettings;
  return (
    <fieldset className={styles.boxes}>
      <legend>{labels.roles.permissions}</legend>
      {names.map((name) => (
        <Checkbox
          key={name}
          label={labels.permissions[name]}
          hint={labels.permissionHints[name]}
          name="permission"
          value={permissionBits[name]}
          defaultChecked={(permissions & permissionBits[name]) !== 0}
        />
      ))}
    </fieldset>
  );
}

/** The bits of the boxes that are ticked. */
export const permissionsOf = (form: FormData): number =>
  form.getAll("permission").reduce<number>((bits, value) => bits | Number(value), 0);

/** A box for each right (docs/protocol/permissions.md#24.2), in a form's fields named `right`. */
export function RightBoxes({ rights }: { rights: readonly RightName[] }) {
  const labels = texts.serverSettings;
  return (
    <fieldset className={styles.boxes}>
      <legend>{labels.roles.rights}</legend>
      {rightNames.map((name) => (
        <Checkbox
          key={name}
          label={labels.rights[name]}
          hint={labels.rightHints[name]}
          name="right"
          value={name}
          defaultChecked={rights.includes(name)}
        />
      ))}
    </fieldset>
  );
}

/** The rights whose boxes are ticked. */
export const rightsIn = (form: FormData): RightName[] => {
  const ticked = form.getAll("right");
  return rightNames.filter((name) => ticked.includes(name));
};
