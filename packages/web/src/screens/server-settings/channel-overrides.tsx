import type { Channel, ChannelOverride, Role } from "@parley/client";
import { useCallback } from "react";
import { useApp, useAppState } from "../../state/app/use-app.js";
import { useGatewayEvent } from "../../state/app/use-gateway-event.js";
import { InputError } from "../../texts/error-text.js";
import { texts } from "../../texts/texts.js";
import { AsyncContent, Empty } from "../../ui/data/async-content.js";
import { textOf } from "../../ui/data/form.js";
import { useAction } from "../../ui/data/use-action.js";
import { useData } from "../../ui/data/use-data.js";
import { ActionForm } from "../../ui/forms/action-form.js";
import { Choice, TextField } from "../../ui/forms/field.js";
import { Panel } from "../../ui/forms/settings-page.js";
import { UserName } from "../profile/user-name.js";
import { OverrideForm } from "./override-form.js";
import { PrivateChannel } from "./private-channel.js";
import styles from "./server-settings.module.css";

/** The permission overrides of a channel, for roles and members. */
export function ChannelOverrides({ channel }: { channel: Channel }) {
  const { client } = useApp();
  const labels = texts.serverSettings.channels;
  const roles = useAppState((state) => state.roles[channel.server_id]) ?? [];
  // READY has those of the channels only that were visible then.
  const data = useData(useCallback((signal) => client.overrides.list(channel.id, { signal }), [client, channel.id]));
  const { set } = data;
  useGatewayEvent("CHANNEL_OVERRIDE_UPDATE", (changed) => {
    if (changed.channel_id !== channel.id) return;
    // In its place, as somebody may be at it.
    set((all) =>
      all.some(({ id }) => id === changed.id)
        ? all.map((override) => (override.id === changed.id ? changed : override))
        : [...all, changed],
    );
  });
  useGatewayEvent("CHANNEL_OVERRIDE_DELETE", ({ override_id }) =>
    set((all) => all.filter(({ id }) => id !== override_id)),
  );
  useGatewayEvent("ROLE_DELETE", ({ role_id }) => set((all) => all.filter((override) => override.role_id !== role_id)));
  return (
    <AsyncContent data={data}>
      {(overrides) => (
        <>
          <PrivateChannel channel={channel} overrides={overrides} roles={roles} />
          {overrides.length === 0 ? <Empty>{labels.none}</Empty> : null}
          {overrides.map((override) => (
            <section key={override.id}>
              <h3>
                <TargetName override={override} roles={roles} serverId={channel.server_id} />
              </h3>
              <OverrideForm override={override} />
            </section>
          ))}
          <Additions channel={channel} overrides={overrides} roles={roles} />
        </>
      )}
    </AsyncContent>
  );
}

function TargetName({
  override,
  roles,
  serverId,
}: {
  override: ChannelOverride;
  roles: readonly Role[];
  serverId: string;
}) {
  if (override.role_id === serverId) return texts.serverSettings.roles.everyone;
  const role = roles.find(({ id }) => id === override.role_id);
  return role === undefined ? <UserName userId={override.user_id} /> : <bdi>{role.name}</bdi>;
}

function Additions({
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
  const everyone = { id: channel.server_id, name: texts.serverSettings.roles.everyone };
  const free = [everyone, ...roles].filter((role) => overrides.every((override) => override.role_id !== role.id));
  const addRole = useAction(async (form: FormData) => {
    await client.overrides.put(channel.id, { role_id: textOf(form, "role"), allow: 0, deny: 0 });
  });
  const addMember = useAction(async (form: FormData) => {
    const wanted = textOf(form, "member").trim();
    const found = await client.members.list(channel.server_id, { q: wanted, limit: 50 });
    const member = found.find(({ username }) => username === wanted);
    if (member === undefined) throw new InputError(labels.noMember);
    await client.overrides.put(channel.id, { user_id: member.user_id, allow: 0, deny: 0 });
  });
  return (
    <div className={styles.columns}>
      {free.length === 0 ? null : (
        <Panel title={labels.addRole}>
          <ActionForm action={addRole} submit={labels.add} kind="quiet">
            <Choice label={labels.addRole} name="role">
              {free.map((role) => (
                <option key={role.id} value={role.id}>
                  {role.name}
                </option>
              ))}
            </Choice>
          </ActionForm>
        </Panel>
      )}
      <Panel title={labels.addMember}>
        <ActionForm action={addMember} submit={labels.add} kind="quiet">
          <TextField label={labels.addMember} name="member" required />
        </ActionForm>
      </Panel>
    </div>
  );
}
