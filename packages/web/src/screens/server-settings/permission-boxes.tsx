import { permissionBits } from "@parley/contracts";
import { permissionNames } from "../../state/permissions.js";
import { texts } from "../../texts/texts.js";
import { Checkbox } from "../../ui/field.js";
import styles from "./server-settings.module.css";

/** A box for each permission, in a form's fields named `permission`. */
export function PermissionBoxes({ permissions }: { permissions: number }) {
  const labels = texts.serverSettings;
  return (
    <fieldset className={styles.boxes}>
      <legend>{labels.roles.permissions}</legend>
      {permissionNames.map((name) => (
        <Checkbox
          key={name}
          label={labels.permissions[name]}
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
  form.getAll("permission").reduce((bits, value) => bits | Number(value), 0);
