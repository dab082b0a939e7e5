import { Hash, Pin, Users, Volume2 } from "lucide-react";
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useLocation } from "wouter";
import { isVisible, mayInChannel } from "../../state/permissions.js";
import { usePage, usePageState } from "../../state/use-page.js";
import { texts } from "../../texts/texts.js";
import { IconButton } from "../../ui/button.js";
import { lazyPart } from "../../ui/lazy-part.js";
import { Loading } from "../../ui/loading.js";
import { useIsNarrow } from "../../ui/use-media.js";
import { SearchButton } from "../search/search-button.js";
import { keepLastChannel } from "../shell/last-place.js";
import { useLayout } from "../shell/layout.js";
import { useNotice } from "../shell/notice.js";
import { TopBar } from "../shell/top-bar.js";
import { Conversation } from "./conversation.js";
import { SidePanel } from "./side-panel.js";
import { showMoment } from "./times.js";
import { UnknownChannel } from "./unknown-channel.js";

/** Shown in place of a panel while its script is loaded, or after that failed; it can be closed. */
const inPanel = (title: string) => ({
  waiting: ({ onClose }: { onClose: () => void }) => (
    <SidePanel title={title} wide onClose={onClose}>
      <Loading />
    </SidePanel>
  ),
  missing: ({ onClose }: { onClose: () => void }, note: ReactNode) => (
    <SidePanel title={title} wide onClose={onClose}>
      {note}
    </SidePanel>
  ),
});
const MemberList = lazyPart(async () => (await import("../shell/member-list.js")).MemberList, {
  waiting: () => <Loading />,
});
const PinsPanel = lazyPart(
  async () => (await import("./pins-panel.js")).PinsPanel,
  inPanel(texts.conversation.pinsTitle),
);
const ThreadPanel = lazyPart(
  async () => (await import("./thread-panel.js")).ThreadPanel,
  inPanel(texts.conversation.threadTitle),
);

const VoiceStage = lazyPart(async () => (await import("../voice/voice-stage.js")).VoiceStage);

type Side = { kind: "pins" } | { kind: "thread"; rootId: string };

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
  const names = texts.conversation;
  const channel = usePageState((state) => {
    const known = state.channels[channelId];
    return known !== undefined && isVisible(state, known) ? known : undefined;
  });
  const areRead = usePageState((state) => state.channelIds[serverId] !== undefined);
  const mayAttach = usePageState((state) => mayInChannel(state, channelId, "ATTACH_FILES"));
  const refusal = useRefusal(serverId, channelId);
  const { areMembersShown, showMembers } = useLayout();
  const isNarrow = useIsNarrow();
  const [areMembersOver, setMembersOver] = useState(false);
  const [side, setSide] = useState<Side | null>(null);
  const [, navigate] = useLocation();
  const place = useMemo(() => ({ kind: "channel" as const, id: channelId }), [channelId]);
  const isPinsShown = side?.kind === "pins";
  const isMembersShown = side === null && (isNarrow ? areMembersOver : areMembersShown);
  const { histories } = usePage();
  useEffect(() => keepLastChannel(serverId, channelId), [serverId, channelId]);
  useEffect(() => {
    // Starts before the channel's name is read. The list of messages shows an error.
    if (messageId === null) histories.open(place).catch(() => undefined);
  }, [histories, place, messageId]);
  const jump = useCallback(
    (id: string | null) =>
      navigate(`/servers/${serverId}/channels/${channelId}${id === null ? "" : `/${id}`}`, { replace: id === null }),
    [navigate, serverId, channelId],
  );
  const openThread = useCallback((rootId: string) => setSide({ kind: "thread", rootId }), []);
  const toggleMembers = () => {
    const next = !isMembersShown;
    setSide(null);
    if (isNarrow) setMembersOver(next);
    else showMembers(next);
  };
  useLeaving(serverId, channel?.name);
  if (channel === undefined) {
    return (
      <>
        <TopBar title="" />
        {areRead ? <UnknownChannel channelId={channelId} /> : null}
      </>
    );
  }
  const Icon = channel.type === "voice" ? Volume2 : Hash;
  return (
    <>
      <TopBar icon={<Icon size={20} aria-hidden />} title={channel.name} note={channel.topic}>
        <IconButton
          label={names.pins}
          aria-pressed={isPinsShown}
          onClick={() => setSide(isPinsShown ? null : { kind: "pins" })}
        >
          <Pin size={19} aria-hidden />
        </IconButton>
        <SearchButton serverId={serverId} />
        <IconButton label={texts.shell.showMembers} aria-pressed={isMembersShown} onClick={toggleMembers}>
          <Users size={19} aria-hidden />
        </IconButton>
      </TopBar>
      <Conversation
        place={place}
        serverId={serverId}
        name={channel.name}
        linkedId={messageId}
        onJump={jump}
        openThread={openThread}
        refusal={refusal}
        mayAttach={mayAttach}
        above={channel.type === "voice" ? <VoiceStage channelId={channelId} /> : null}
        side={
          <>
            {side?.kind === "thread" ? (
              <ThreadPanel key={side.rootId} rootId={side.rootId} onClose={() => setSide(null)} />
            ) : null}
            {isPinsShown ? <PinsPanel onClose={() => setSide(null)} /> : null}
            {isMembersShown ? (
              <SidePanel title={texts.shell.members} onClose={toggleMembers}>
                <MemberList key={serverId} serverId={serverId} />
              </SidePanel>
            ) : null}
          </>
        }
      />
    </>
  );
}

/** Navigates to the server when the open channel is hidden or deleted. */
function useLeaving(serverId: string, name: string | undefined): void {
  const areRead = usePageState((state) => state.channelIds[serverId] !== undefined);
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
function useRefusal(serverId: string, channelId: string): string | null {
  const names = texts.conversation;
  const member = usePageState((state) => state.members[serverId]?.[state.me?.id ?? ""]);
  const maySend = usePageState((state) => mayInChannel(state, channelId, "SEND_MESSAGES"));
  const isOwner = usePageState((state) => state.servers.find(({ id }) => id === serverId)?.owner_id === state.me?.id);
  const until = member?.timeout_expires_at ?? null;
  if (until !== null && Date.parse(until) > Date.now()) return names.timedOut(showMoment(until));
  return member === undefined || maySend || isOwner ? null : names.cannotSend;
}
