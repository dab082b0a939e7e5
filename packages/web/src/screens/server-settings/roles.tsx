import type { Role } from "@parley/client";
import { useState } from "react";
import { useApp, useAppState } from "../../state/app/use-app.js";
import { onRoleDelete, roleSince } from "../../state/community/server-events.js";
import { texts } from "../../texts/texts.js";
import { ErrorNote } from "../../ui/data/async-content.js";
import { textOf } from "../../ui/data/form.js";
import { useAction } from "../../ui/data/use-action.js";
import { ActionForm } from "../../ui/forms/action-form.js";
import { EditForm } from "../../ui/forms/edit-form.js";
import { Checkbox, TextField } from "../../ui/forms/field.js";
import { Panel } from "../../ui/forms/settings-page.js";
import { ListRows } from "../../ui/lists/async-rows.js";
import { Row, Rows } from "../../ui/lists/rows.js";
import { type DropTarget, Sortable, useSortableRow } from "../../ui/lists/sortable.js";
import { Button } from "../../ui/look/button.js";
import { Dialog } from "../../ui/overlays/dialog.js";
import { RowMenu } from "../../ui/overlays/row-menu.js";
import { everyonePermissions, PermissionBoxes, permissionsOf, RightBoxes, rightsIn } from "./role-boxes.js";
import type { ServerSectionProps } from "./section-props.js";
import styles from "./server-settings.module.css";
import { useRoleOrder } from "./use-role-order.js";

const defaultColor = "#95a5a6";

/** The roles of the server, highest first; dragging changes their order. */
export function RolesSection({ server, isOwner }: ServerSectionProps) {
  const { client, store } = useApp();
  const labels = texts.serverSettings.roles;
  const { roles, movable, move, error } = useRoleOrder(server.id, isOwner);
  const create = useAction(async (form: FormData) => {
    await store.change(() => client.roles.create(server.id, bodyOf(form)), roleSince);
  });
  return (
    <>
      <ErrorNote error={error} />
      <Sortable items={movable} onMove={move} dropTarget={(id, overId) => dropTarget(movable, id, overId)}>
        <ListRows items={roles} label={labels.title} empty={labels.none}>
          {(role) =>
            movable.includes(role) ? <MovableRole key={role.id} role={role} /> : <RoleRow key={role.id} role={role} />
          }
        </ListRows>
      </Sortable>
      <EveryoneRole serverId={server.id} />
      <Panel title={labels.create}>
        <ActionForm action={create} submit={labels.create}>
          <div className={styles.columns}>
            <TextField label={labels.name} name="name" maxLength={100} required />
            <TextField label={labels.color} name="color" type="color" defaultValue={defaultColor} />
          </div>
          <MentionableBox isMentionable={false} />
          <PermissionBoxes permissions={0} />
          <RightBoxes rights={[]} />
        </ActionForm>
      </Panel>
    </>
  );
}

function dropTarget(roles: readonly Role[], id: string, overId: string): DropTarget {
  const indexOf = (wanted: string) => roles.findIndex((role) => role.id === wanted);
  return { id: overId, side: indexOf(id) < indexOf(overId) ? "after" : "before" };
}

const bodyOf = (form: FormData) => ({
  name: textOf(form, "name"),
  color: textOf(form, "color"),
  permissions: permissionsOf(form),
  rights: rightsIn(form),
  mentionable: form.has("mentionable"),
});

function MentionableBox({ isMentionable }: { isMentionable: boolean }) {
  const labels = texts.serverSettings.roles;
  return (
    <Checkbox
      name="mentionable"
      label={labels.mentionable}
      hint={labels.mentionableHint}
      defaultChecked={isMentionable}
    />
  );
}

function MovableRole({ role }: { role: Role }) {
  const sortable = useSortableRow(role);
  return <RoleRow role={role} sortable={sortable} />;
}

function RoleRow({ role, sortable }: { role: Role; sortable?: ReturnType<typeof useSortableRow> }) {
  const { client, store } = useApp();
  const labels = texts.serverSettings.roles;
  const [isOpen, setOpen] = useState(false);
  const { id: role_id, server_id } = role;
  const save = async (form: FormData) => {
    await store.change(() => client.roles.update(server_id, role_id, bodyOf(form)), roleSince);
  };
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
          <Dialog open={isOpen} onOpenChange={setOpen} title={labels.editTitle(role.name)} wide>
            <EditForm onSave={save} onClose={() => setOpen(false)}>
              <div className={styles.columns}>
                <TextField label={labels.name} name="name" maxLength={100} defaultValue={role.name} required />
                <TextField label={labels.color} name="color" type="color" defaultValue={role.color} />
              </div>
              <MentionableBox isMentionable={role.mentionable === true} />
              <PermissionBoxes permissions={role.permissions} />
              <RightBoxes rights={role.rights ?? []} />
            </EditForm>
          </Dialog>
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
                    await client.roles.delete(server_id, role_id);
                    store.apply((state) => onRoleDelete(state, { server_id, role_id }));
                  },
                },
              },
            ]}
          />
        </>
      }
    />
  );
}

/** The role that everybody has (docs/protocol/permissions.md#24.1): below all others, and neither named nor deleted. */
function EveryoneRole({ serverId }: { serverId: string }) {
  const { client, store } = useApp();
  const labels = texts.serverSettings.roles;
  const role = useAppState((state) => state.everyone[serverId]);
  const [isOpen, setOpen] = useState(false);
  if (role === undefined) return null;
  const save = async (form: FormData) => {
    const body = { permissions: permissionsOf(form), rights: rightsIn(form) };
    await store.change(() => client.roles.update(serverId, serverId, body), roleSince);
  };
  return (
    <Rows label={labels.everyone}>
      <Row
        picture={<span className={styles.swatch} style={{ backgroundColor: role.color }} />}
        title={labels.everyone}
        detail={labels.everyoneHint}
        actions={
          <>
            <Button kind="quiet" onClick={() => setOpen(true)}>
              {labels.edit}
            </Button>
            <Dialog open={isOpen} onOpenChange={setOpen} title={labels.editTitle(labels.everyone)} wide>
              <EditForm onSave={save} onClose={() => setOpen(false)}>
                <PermissionBoxes permissions={role.permissions} names={everyonePermissions} />
                <RightBoxes rights={role.rights ?? []} />
              </EditForm>
            </Dialog>
          </>
        }
      />
    </Rows>
  );
}
