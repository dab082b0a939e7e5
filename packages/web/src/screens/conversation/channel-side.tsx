import { type ReactNode, useCallback, useState } from "react";
import { texts } from "../../texts/texts.js";
import { lazyPart } from "../../ui/lazy-part.js";
import { Loading } from "../../ui/loading.js";
import { useIsNarrow } from "../../ui/use-media.js";
import { useLayout } from "../shell/layout.js";
import { SidePanel } from "./side-panel.js";

/** Shown in place of a panel while its script is loaded, or after that failed; it can be closed. */
const inPanel = (name: "pinsTitle" | "threadTitle") => ({
  waiting: ({ onClose }: { onClose: () => void }) => (
    <SidePanel title={texts.conversation[name]} wide onClose={onClose}>
      <Loading />
    </SidePanel>
  ),
  missing: ({ onClose }: { onClose: () => void }, note: ReactNode) => (
    <SidePanel title={texts.conversation[name]} wide onClose={onClose}>
      {note}
    </SidePanel>
  ),
});
const MemberList = lazyPart(async () => (await import("../shell/member-list.js")).MemberList, {
  waiting: () => <Loading />,
});
const PinsPanel = lazyPart(async () => (await import("./pins-panel.js")).PinsPanel, inPanel("pinsTitle"));
const ThreadPanel = lazyPart(async () => (await import("./thread-panel.js")).ThreadPanel, inPanel("threadTitle"));

type Panel = { kind: "pins" } | { kind: "thread"; rootId: string };

/** Which of the panels beside a channel is open: members, pins or a thread. On narrow screens members are closed at first. */
export function useChannelSide() {
  const { areMembersShown, showMembers } = useLayout();
  const isNarrow = useIsNarrow();
  const [areMembersOver, setMembersOver] = useState(false);
  const [panel, setPanel] = useState<Panel | null>(null);
  const areMembersOpen = panel === null && (isNarrow ? areMembersOver : areMembersShown);
  const openThread = useCallback((rootId: string) => setPanel({ kind: "thread", rootId }), []);
  const toggleMembers = () => {
    setPanel(null);
    if (isNarrow) setMembersOver(!areMembersOpen);
    else showMembers(!areMembersOpen);
  };
  const arePinsOpen = panel?.kind === "pins";
  return {
    threadId: panel?.kind === "thread" ? panel.rootId : null,
    arePinsOpen,
    areMembersOpen,
    openThread,
    toggleMembers,
    togglePins: () => setPanel(arePinsOpen ? null : { kind: "pins" }),
    close: () => setPanel(null),
  };
}

/** The panel that is open beside a channel. */
export function ChannelSide({ serverId, side }: { serverId: string; side: ReturnType<typeof useChannelSide> }) {
  if (side.threadId !== null) return <ThreadPanel key={side.threadId} rootId={side.threadId} onClose={side.close} />;
  if (side.arePinsOpen) return <PinsPanel onClose={side.close} />;
  return side.areMembersOpen ? (
    <SidePanel title={texts.shell.members} onClose={side.toggleMembers}>
      <MemberList key={serverId} serverId={serverId} />
    </SidePanel>
  ) : null;
}
