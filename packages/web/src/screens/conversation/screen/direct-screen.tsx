import { Users } from "lucide-react";
import { useCallback, useMemo } from "react";
import { useLocation } from "wouter";
import { useAppState } from "../../../state/app/use-app.js";
import { isBlocked } from "../../../state/people/people.js";
import { isGroup } from "../../../state/store/group-people.js";
import { texts } from "../../../texts/texts.js";
import { IconButton } from "../../../ui/look/button.js";
import { useOpenDialog } from "../../actions/open-dialog.js";
import { DirectPicture } from "../../groups/direct-picture.js";
import { directTitle } from "../../groups/direct-title.js";
import { NotFound } from "../../shell/not-found.js";
import { TopBar } from "../../shell/top-bar.js";
import { Conversation } from "./conversation.js";
import { DateButton } from "./date-button.js";

/** A conversation with one user, or with several. */
export function DirectScreen({ channelId, messageId }: { channelId: string; messageId: string | null }) {
  const channel = useAppState((state) => state.dmChannels.find(({ id }) => id === channelId));
  const isKnown = useAppState((state) => state.me !== null);
  const isBlockedHere = useAppState((state) => isBlocked(state, channel?.recipient.id ?? null));
  const presence = useAppState((state) => state.presence[channel?.recipient.id ?? ""]);
  const [, navigate] = useLocation();
  const jump = useCallback(
    (id: string | null) => navigate(`/dm/${channelId}${id === null ? "" : `/${id}`}`, { replace: id === null }),
    [navigate, channelId],
  );
  const place = useMemo(() => ({ kind: "direct" as const, id: channelId }), [channelId]);
  if (channel === undefined) {
    return (
      <>
        <TopBar title="" />
        {isKnown ? <NotFound /> : null}
      </>
    );
  }
  const name = directTitle(channel);
  const isOfSeveral = isGroup(channel);
  return (
    <>
      <TopBar
        icon={<DirectPicture channel={channel} size={26} />}
        title={name}
        note={isOfSeveral ? texts.groups.count(channel.recipients.length + 1) : (presence?.custom_status ?? null)}
      >
        <DateButton place={place} path={`/dm/${channelId}`} />
        {isOfSeveral ? <GroupButton channelId={channelId} /> : null}
      </TopBar>
      <Conversation
        place={place}
        serverId={null}
        name={name}
        linkedId={messageId}
        onJump={jump}
        openThread={null}
        readOnlyReason={isBlockedHere && !isOfSeveral ? texts.people.blockedHere(name) : null}
        mayAttach
      />
    </>
  );
}

function GroupButton({ channelId }: { channelId: string }) {
  const open = useOpenDialog((dialogs) => dialogs.open);
  return (
    <IconButton label={texts.groups.open} onClick={() => open({ kind: "group", channelId })}>
      <Users size={19} aria-hidden />
    </IconButton>
  );
}
