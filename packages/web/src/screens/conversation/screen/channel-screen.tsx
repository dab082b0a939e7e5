import type { Channel } from "@parley/client";
import { type ReactNode, useCallback, useDeferredValue, useEffect, useMemo, useRef } from "react";
import { useLocation } from "wouter";
import { lastChannel } from "../../../device/device-storage.js";
import { isVisible, mayInChannel } from "../../../state/access/permissions.js";
import { useApp, useAppState } from "../../../state/app/use-app.js";
import { useFirstSteps } from "../../../state/community/first-steps.js";
import { texts } from "../../../texts/texts.js";
import { SkeletonConversation } from "../../../ui/data/skeleton.js";
import { lazyPart } from "../../../ui/page/lazy-part.js";
import { useNotice } from "../../../ui/page/notice.js";
import { NotFound } from "../../shell/not-found.js";
import { TopBar } from "../../shell/top-bar.js";
import { useAskedThread } from "../asked-thread.js";
import { showMoment } from "../times.js";
import { ChannelBar } from "./channel-bar.js";
import styles from "./channel-screen.module.css";
import { ChannelSide, useChannelSide } from "./channel-side.js";
import { Conversation } from "./conversation.js";

const VoiceStage = lazyPart(async () => (await import("../../voice/voice-stage.js")).VoiceStage);

const FirstSteps = lazyPart(async () => (await import("../../first-steps/first-steps.js")).FirstSteps);

/** A channel of a server. */
export function ChannelScreen({
  serverId,
  channelId,
  messageId,
}: {
  serverId: string;
  channelId: string;
  messageId: string | null;
}) {
  const channel = useAppState((state) => {
    const known = state.channels[channelId];
    return known !== undefined && isVisible(state, known) ? known : undefined;
  });
  // As the list of messages, which is rendered with it when both are read at the same time.
  const isDue = useDeferredValue(channel !== undefined);
  const areRead = useAppState((state) => state.channelIds[serverId] !== undefined);
  const isBeginner = useFirstSteps(({ beginners }) => beginners[serverId] !== undefined);
  const mayAttach = useAppState((state) => mayInChannel(state, channelId, "ATTACH_FILES"));
  const serverName = useAppState(({ servers }) => servers.find(({ id }) => id === serverId)?.name ?? "");
  const readOnlyReason = useReadOnlyReason(serverId, channelId);
  const side = useChannelSide(channel?.type === "voice", messageId !== null);
  const place = useMemo(() => ({ kind: "channel" as const, id: channelId }), [channelId]);
  const { histories } = useApp();
  useEffect(() => {
    lastChannel(serverId).write(channelId);
  }, [serverId, channelId]);
  useEffect(() => {
    // Starts before the channel's name is read. The list of messages shows an error.
    if (messageId === null) histories.open(place).catch(() => undefined);
  }, [histories, place, messageId]);
  const jump = useJump(serverId, channelId);
  useAskedThread(channelId, side.openThread);
  useLeaving(serverId, channel?.name);
  if (channel === undefined || !isDue) {
    return (
      <>
        <TopBar title={serverName} />
        {areRead && channel === undefined ? <NotFound /> : <SkeletonConversation />}
      </>
    );
  }
  return (
    <>
      <ChannelBar channel={channel} place={place} side={side} />
      <Staged channel={channel} side={side}>
        <Conversation
          place={place}
          serverId={serverId}
          name={channel.name}
          linkedId={messageId}
          onJump={jump}
          openThread={side.openThread}
          readOnlyReason={readOnlyReason}
          mayAttach={mayAttach}
          above={
            isBeginner && channel.type !== "voice" ? (
              <FirstSteps serverId={serverId} channelName={channel.name} />
            ) : null
          }
          side={<ChannelSide serverId={serverId} side={side} />}
        />
      </Staged>
    </>
  );
}

/** A conversation; in a voice channel beside its stage, or folded away. */
function Staged({
  channel,
  side,
  children,
}: {
  channel: Channel;
  side: ReturnType<typeof useChannelSide>;
  children: ReactNode;
}) {
  if (channel.type !== "voice") return children;
  return (
    <div className={styles.staged}>
      <VoiceStage channelId={channel.id} />
      {side.isChatOpen ? (
        <div className={styles.chat}>{children}</div>
      ) : (
        <ChannelSide serverId={channel.server_id} side={side} />
      )}
    </div>
  );
}

/** Returns a function that puts a message of the channel into the page's URL; null removes it. */
function useJump(serverId: string, channelId: string) {
  const [, navigate] = useLocation();
  return useCallback(
    (id: string | null) =>
      navigate(`/servers/${serverId}/channels/${channelId}${id === null ? "" : `/${id}`}`, { replace: id === null }),
    [navigate, serverId, channelId],
  );
}

/** Navigates to the server when the open channel is hidden or deleted. */
function useLeaving(serverId: string, name: string | undefined): void {
  const areRead = useAppState((state) => state.channelIds[serverId] !== undefined);
  const show = useNotice((notice) => notice.show);
  const [, navigate] = useLocation();
  const before = useRef(name);
  useEffect(() => {
    if (name === undefined && before.current !== undefined && areRead) {
      show(texts.shell.channelGone(before.current));
      navigate(`/servers/${serverId}`, { replace: true });
    }
    before.current = name;
  }, [name, areRead, show, navigate, serverId]);
}

/** Reason why the user cannot write in a channel; null when they can, or while their membership is not read. */
function useReadOnlyReason(serverId: string, channelId: string): string | null {
  const labels = texts.conversation;
  const member = useAppState((state) => state.members[serverId]?.[state.me?.id ?? ""]);
  const maySend = useAppState((state) => mayInChannel(state, channelId, "SEND_MESSAGES"));
  const isOwner = useAppState((state) => state.servers.find(({ id }) => id === serverId)?.owner_id === state.me?.id);
  const until = member?.timeout_expires_at ?? null;
  if (until !== null && Date.parse(until) > Date.now()) return labels.timedOut(showMoment(until));
  return member === undefined || maySend || isOwner ? null : labels.cannotSend;
}
