import type { Channel, ChannelOverride, Role } from "@parley/client";
import { allPermissionBits, permissionBits } from "@parley/contracts";
import { serverPermissions } from "../../state/access/permissions.js";
import { useApp, useAppState } from "../../state/app/use-app.js";
import { texts } from "../../texts/texts.js";
import { ErrorNote } from "../../ui/data/async-content.js";
import { useAction } from "../../ui/data/use-action.js";
import { Checkbox } from "../../ui/forms/field.js";
import { Panel } from "../../ui/forms/settings-page.js";
import styles from "./server-settings.module.css";

type Target = { role_id: string } | { user_id: string };

/** Whether a channel is hidden from everybody, and from which roles it is not: overrides of VIEW_CHANNEL. */
export function PrivateChannel({
  channel,
  overrides,
  roles,
}: {
  channel: Channel;
  overrides: readonly ChannelOverride[];
  roles: readonly Role[];
}) {
  const { client } = useApp();
  const labels = texts.serverSettings.channels;
  const { id, server_id } = channel;
  const me = useAppState((state) => state.me?.id);
  const seesAll = useAppState((state) => serverPermissions(state, server_id) === allPermissionBits);
  const ofRole = (roleId: string) => overrides.find(({ role_id }) => role_id === roleId);
  const isPrivate = denies(ofRole(server_id));
  const put = (target: Target, known: ChannelOverride | undefined, view: "allow" | "deny" | "inherit") => {
    const { VIEW_CHANNEL } = permissionBits;
    const bits = (state: "allow" | "deny") =>
      ((known?.[state] ?? 0) & ~VIEW_CHANNEL) | (view === state ? VIEW_CHANNEL : 0);
    const [allow, deny] = [bits("allow"), bits("deny")];
    if (known !== undefined && allow === 0 && deny === 0) return client.overrides.delete(id, known.id);
    return client.overrides.put(id, { ...target, allow, deny });
  };
  const hide = useAction(async (hidden: boolean) => {
    // The user who closes a channel stays in it, also without a role that sees it.
    if (hidden && me !== undefined && !seesAll) {
      const own = overrides.find(({ user_id }) => user_id === me);
      await put({ user_id: me }, own, "allow");
    }
    await put({ role_id: server_id }, ofRole(server_id), hidden ? "deny" : "inherit");
  });
  const show = useAction(async (roleId: string, shown: boolean) => {
    await put({ role_id: roleId }, ofRole(roleId), shown ? "allow" : "inherit");
  });
  return (
    <Panel title={labels.private} hint={labels.privateHint}>
      <Checkbox
        label={labels.privateBox}
        checked={isPrivate}
        disabled={hide.isBusy}
        onChange={(event) => hide.run(event.currentTarget.checked)}
      />
      {isPrivate && roles.length > 0 ? (
        <fieldset className={styles.boxes}>
          <legend>{labels.privateRoles}</legend>
          {roles.map((role) => (
            <Checkbox
              key={role.id}
              label={role.name}
              checked={allows(ofRole(role.id))}
              disabled={show.isBusy}
              onChange={(event) => show.run(role.id, event.currentTarget.checked)}
            />
          ))}
        </fieldset>
      ) : null}
      <ErrorNote error={hide.error ?? show.error} />
    </Panel>
  );
}

const denies = (override: ChannelOverride | undefined) =>
  override !== undefined && (override.deny & permissionBits.VIEW_CHANNEL) !== 0;
const allows = (override: ChannelOverride | undefined) =>
  override !== undefined && (override.allow & permissionBits.VIEW_CHANNEL) !== 0;
