import { useCallback, useEffect } from "react";
import { Redirect } from "wouter";
import { lastChannel } from "../../../device/device-storage.js";
import { mayInServer } from "../../../state/access/permissions.js";
import { useApp, useAppState } from "../../../state/app/use-app.js";
import { useRead } from "../../../state/app/use-read.js";
import { texts } from "../../../texts/texts.js";
import { SkeletonConversation } from "../../../ui/data/skeleton.js";
import { RaidBanner } from "../../safety/raid-banner.js";
import { ChannelList } from "../../shell/channel-list.js";
import { CreateChannelButton } from "../../shell/create-channel-button.js";
import { EmptyState } from "../../shell/empty-state.js";
import { Shell } from "../../shell/shell.js";
import { TopBar } from "../../shell/top-bar.js";
import { ChannelScreen } from "./channel-screen.js";

/** A server with the channel that is open in it. */
export function ServerScreen({
  serverId,
  channelId,
  messageId,
}: {
  serverId: string;
  channelId: string | null;
  messageId: string | null;
}) {
  const { servers, safety } = useApp();
  const isConnected = useAppState((state) => state.me !== null);
  const isMember = useAppState((state) => state.servers.some(({ id }) => id === serverId));
  useEffect(() => {
    servers.readChannels(serverId).catch(() => undefined);
  }, [servers, serverId]);
  useRead(useCallback(async () => isMember && servers.open(serverId), [servers, serverId, isMember]));
  useRead(useCallback(async () => isMember && safety.readRules(serverId), [safety, serverId, isMember]));
  if (isConnected && !isMember) return <Redirect to="/" replace />;
  return (
    <Shell list={<ChannelList serverId={serverId} />}>
      <RaidBanner serverId={serverId} />
      {channelId === null ? (
        <FirstChannel serverId={serverId} />
      ) : (
        <ChannelScreen key={channelId} serverId={serverId} channelId={channelId} messageId={messageId} />
      )}
    </Shell>
  );
}

/** Navigates to the channel that was open last, or to the first one. */
function FirstChannel({ serverId }: { serverId: string }) {
  const ids = useAppState((state) => state.channelIds[serverId]);
  const channels = useAppState((state) => state.channels);
  const mayCreate = useAppState((state) => mayInServer(state, serverId, "MANAGE_CHANNELS"));
  const name = useAppState((state) => state.servers.find(({ id }) => id === serverId)?.name ?? "");
  if (ids === undefined) {
    return (
      <>
        <TopBar title={name} />
        <SkeletonConversation />
      </>
    );
  }
  const last = lastChannel(serverId).read();
  const target = ids.find((id) => id === last) ?? ids.find((id) => channels[id]?.type === "text") ?? ids[0];
  if (target !== undefined) return <Redirect to={`/servers/${serverId}/channels/${target}`} replace />;
  return (
    <>
      <TopBar title={name} />
      <EmptyState title={texts.shell.noChannels} text={mayCreate ? texts.shell.noChannelsHint : ""}>
        <CreateChannelButton serverId={serverId} />
      </EmptyState>
    </>
  );
}
