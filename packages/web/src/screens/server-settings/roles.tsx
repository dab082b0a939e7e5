import type { Role } from "@parley/client";
import { useCallback, useState } from "react";
import { useSession } from "../../session/session.js";
import { texts } from "../../texts/texts.js";
import { ActionForm } from "../../ui/action-form.js";
import { ErrorNote } from "../../ui/async-content.js";
import { AsyncRows } from "../../ui/async-rows.js";
import { Button } from "../../ui/button.js";
import { Actions, Dialog } from "../../ui/dialog.js";
import { TextField } from "../../ui/field.js";
import { onForm, textOf } from "../../ui/form.js";
import { RowMenu } from "../../ui/row-menu.js";
import { Row } from "../../ui/rows.js";
import { Panel } from "../../ui/settings-page.js";
import { type DropTarget, Sortable, useSortableRow } from "../../ui/sortable.js";
import { useAction } from "../../ui/use-action.js";
import { useData } from "../../ui/use-data.js";
import { PermissionBoxes, permissionsOf } from "./permission-boxes.js";
import type { ServerSectionProps } from "./section-props.js";
import styles from "./server-settings.module.css";
import { useRoleOrder } from "./use-role-order.js";

const defaultColor = "#95a5a6";

/** The roles of the server, highest first; dragging changes their order. */
export function RolesSection({ server, isOwner, roleIds }: ServerSectionProps & { roleIds: ReadonlySet<string> }) {
  const { client } = useSession();
  const labels = texts.serverSettings.roles;
  const roles = useData(useCallback((signal) => client.roles.list(server.id, { signal }), [client, server.id]));
  const { movable, move, error } = useRoleOrder({ serverId: server.id, isOwner, roleIds }, roles);
  const create = useAction(async (form: FormData) => {
    await client.roles.create(server.id, {
      name: textOf(form, "name"),
      color: textOf(form, "color"),
      permissions: permissionsOf(form),
    });
    await roles.reload();
  });
  return (
    <>
      <ErrorNote error={error} />
      <Sortable items={movable} onMove={move} dropTarget={(id, overId) => dropTarget(movable, id, overId)}>
        <AsyncRows data={roles} label={labels.title} empty={labels.none}>
          {(role) =>
            movable.includes(role) ? (
              <MovableRole key={role.id} role={role} onChange={roles.reload} />
            ) : (
              <RoleRow key={role.id} role={role} onChange={roles.reload} />
            )
          }
        </AsyncRows>
      </Sortable>
      <Panel title={labels.create}>
        <ActionForm action={create} submit={labels.create}>
          <div className={styles.columns}>
            <TextField label={labels.name} name="name" maxLength={100} required />
            <TextField label={labels.color} name="color" type="color" defaultValue={defaultColor} />
          </div>
          <PermissionBoxes permissions={0} />
        </ActionForm>
      </Panel>
    </>
  );
}

function dropTarget(roles: readonly Role[], id: string, overId: string): DropTarget {
  const indexOf = (wanted: string) => roles.findIndex((role) => role.id === wanted);
  return { id: overId, side: indexOf(id) < indexOf(overId) ? "after" : "before" };
}

interface RoleProps {
  role: Role;
  onChange: () => Promise<void>;
}

function MovableRole(props: RoleProps) {
  const sortable = useSortableRow(props.role);
  return <RoleRow {...props} sortable={sortable} />;
}

function RoleRow({ role, onChange, sortable }: RoleProps & { sortable?: ReturnType<typeof useSortableRow> }) {
  const { client } = useSession();
  const labels = texts.serverSettings.roles;
  const [isOpen, setOpen] = useState(false);
  const save = useAction(async (form: FormData) => {
    await client.roles.update(role.server_id, role.id, {
      name: textOf(form, "name"),
      color: textOf(form, "color"),
      permissions: permissionsOf(form),
    });
    await onChange();
    setOpen(false);
  });
  return (
    <Row
      {...sortable}
      picture={<span className={styles.swatch} style={{ backgroundColor: role.color }} />}
      title={role.name}
      actions={
        <>
          <Button kind="quiet" onClick={() => setOpen(true)}>
            {labels.edit}
          </Button>
          <RowMenu
            name={role.name}
            actions={[
              {
                label: labels.delete,
                danger: true,
                question: {
                  title: labels.deleteTitle(role.name),
                  explanation: labels.deleteExplanation,
                  onConfirm: async () => {
                    await client.roles.delete(role.server_id, role.id);
                    await onChange();
                  },
                },
              },
            ]}
          />
          <Dialog open={isOpen} onOpenChange={setOpen} title={labels.editTitle(role.name)} wide>
            <form onSubmit={onForm((form) => save.run(form))}>
              <div className={styles.columns}>
                <TextField label={labels.name} name="name" maxLength={100} defaultValue={role.name} required />
                <TextField label={labels.color} name="color" type="color" defaultValue={role.color} />
              </div>
              <PermissionBoxes permissions={role.permissions} />
              <ErrorNote error={save.error} />
              <Actions>
                <Button kind="quiet" onClick={() => setOpen(false)}>
                  {texts.common.cancel}
                </Button>
                <Button type="submit" disabled={save.isBusy}>
                  {texts.common.save}
                </Button>
              </Actions>
            </form>
          </Dialog>
        </>
      }
    />
  );
}
