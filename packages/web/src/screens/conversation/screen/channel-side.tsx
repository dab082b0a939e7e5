import { type ReactNode, useCallback, useEffect, useState } from "react";
import { texts } from "../../../texts/texts.js";
import { Skeleton } from "../../../ui/data/skeleton.js";
import { useIsNarrow } from "../../../ui/look/use-media.js";
import { lazyPart } from "../../../ui/page/lazy-part.js";
import { useLayout } from "../../shell/layout.js";
import { SidePanel } from "../panels/side-panel.js";

/** Shown in place of a panel while its script is loaded, or after that failed; it can be closed. */
const inPanel = (title: () => string) => ({
  waiting: ({ onClose }: { onClose: () => void }) => (
    <SidePanel title={title()} wide onClose={onClose}>
      <Skeleton shape="messages" />
    </SidePanel>
  ),
  missing: ({ onClose }: { onClose: () => void }, note: ReactNode) => (
    <SidePanel title={title()} wide onClose={onClose}>
      {note}
    </SidePanel>
  ),
});
const MemberList = lazyPart(async () => (await import("../../shell/member-list.js")).MemberList, {
  waiting: () => <Skeleton shape="members" />,
});
const PinsPanel = lazyPart(
  async () => (await import("../panels/pins-panel.js")).PinsPanel,
  inPanel(() => texts.conversation.pinsTitle),
);
const ThreadsPanel = lazyPart(
  async () => (await import("../panels/threads-panel.js")).ThreadsPanel,
  inPanel(() => texts.threads.title),
);
const ThreadPanel = lazyPart(
  async () => (await import("../panels/thread-panel.js")).ThreadPanel,
  inPanel(() => texts.conversation.threadTitle),
);

type Panel = { kind: "pins" | "threads" } | { kind: "thread"; rootId: string; replyId: string | undefined };

/**
 * Which of the panels beside a channel is open: members, pins, threads or one of these. On narrow screens, and beside a stage, which
 * shows the participants, members are closed at first.
 *
 * @param isVoice whether the chat of the channel can be folded away
 * @param isLinked whether the address names a message, which the chat then shows
 */
export function useChannelSide(isVoice: boolean, isLinked: boolean) {
  const { areMembersShown, showMembers, isChatShown, showChat } = useLayout();
  const isNarrow = useIsNarrow();
  const [areMembersOver, setMembersOver] = useState(false);
  const [panel, setPanel] = useState<Panel | null>(null);
  const areMembersOpen = panel === null && (isNarrow || isVoice ? areMembersOver : areMembersShown);
  const openThread = useCallback(
    (rootId: string, replyId?: string) => setPanel({ kind: "thread", rootId, replyId }),
    [],
  );
  const toggleMembers = () => {
    setPanel(null);
    if (isNarrow || isVoice) setMembersOver(!areMembersOpen);
    else showMembers(!areMembersOpen);
  };
  const toggle = (kind: "pins" | "threads") => setPanel((before) => (before?.kind === kind ? null : { kind }));
  useEffect(() => {
    if (isVoice && isLinked) showChat(true);
  }, [isVoice, isLinked, showChat]);
  // Threads and pins belong to it.
  const isChatOpen = isChatShown || panel !== null;
  const toggleChat = () => {
    setPanel(null);
    showChat(!isChatOpen);
  };
  return {
    isChatOpen,
    toggleChat,
    thread: panel?.kind === "thread" ? panel : null,
    arePinsOpen: panel?.kind === "pins",
    areThreadsOpen: panel?.kind === "threads",
    areMembersOpen,
    openThread,
    toggleMembers,
    togglePins: () => toggle("pins"),
    toggleThreads: () => toggle("threads"),
    close: () => setPanel(null),
  };
}

/** The panel that is open beside a channel. */
export function ChannelSide({ serverId, side }: { serverId: string; side: ReturnType<typeof useChannelSide> }) {
  if (side.thread !== null) {
    const { rootId, replyId } = side.thread;
    return <ThreadPanel key={`${rootId} ${replyId}`} rootId={rootId} replyId={replyId} onClose={side.close} />;
  }
  if (side.areThreadsOpen) return <ThreadsPanel openThread={side.openThread} onClose={side.close} />;
  if (side.arePinsOpen) return <PinsPanel onClose={side.close} />;
  return side.areMembersOpen ? (
    <SidePanel title={texts.shell.members} onClose={side.toggleMembers}>
      <MemberList key={serverId} serverId={serverId} />
    </SidePanel>
  ) : null;
}
