import type { Channel, ChannelOverride, Role } from "@parley/client";
import { useCallback } from "react";
import { useApp, useAppState } from "../../state/app/use-app.js";
import { useGatewayEvent } from "../../state/app/use-gateway-event.js";
import { texts } from "../../texts/texts.js";
import { AsyncContent, Empty, ErrorNote } from "../../ui/data/async-content.js";
import { useAction } from "../../ui/data/use-action.js";
import { useData } from "../../ui/data/use-data.js";
import { ComboField, type Offer } from "../apps/combo-field.js";
import { useFindMembers } from "../apps/option-field.js";
import { UserName } from "../profile/user-name.js";
import { OverrideForm } from "./override-form.js";
import { PrivateChannel } from "./private-channel.js";

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
          <Addition channel={channel} overrides={overrides} roles={roles} />
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

/** Adds an override of a role or a member, which is chosen by a part of its name. */
function Addition({
  channel,
  overrides,
  roles,
}: {
  channel: Channel;
  overrides: readonly ChannelOverride[];
  roles: readonly Role[];
}) {
  const { client } = useApp();
  const findMembers = useFindMembers(channel.server_id);
  const find = useCallback(
    async (text: string): Promise<Offer[]> => {
      const everyone = { id: channel.server_id, name: texts.serverSettings.roles.everyone };
      const isMeant = ({ name }: { name: string }) => name.toLowerCase().includes(text.trim().toLowerCase());
      const found = await findMembers(text);
      const isFree = ({ value }: Offer) =>
        overrides.every(({ role_id, user_id }) => role_id !== value && user_id !== value);
      const ofRoles = [everyone, ...roles].filter(isMeant).map(({ id, name }) => ({ value: id, label: name }));
      return [...ofRoles, ...found].filter(isFree);
    },
    [findMembers, channel.server_id, overrides, roles],
  );
  const add = useAction(async (id: string) => {
    const isRole = id === channel.server_id || roles.some((role) => role.id === id);
    await client.overrides.put(channel.id, { ...(isRole ? { role_id: id } : { user_id: id }), allow: 0, deny: 0 });
  });
  return (
    <>
      <ComboField
        label={texts.serverSettings.channels.addTarget}
        required={false}
        isFree={false}
        isEmptied
        find={find}
        onPick={({ value }) => void add.run(value)}
      />
      <ErrorNote error={add.error} />
    </>
  );
}
