import { useCallback, useMemo } from "react";
import { useLocation } from "wouter";
import { isBlocked } from "../../../state/people.js";
import { useAppState } from "../../../state/use-app.js";
import { texts } from "../../../texts/texts.js";
import { UserAvatar } from "../../profile/user-avatar.js";
import { DirectSearchButton } from "../../search/search-button.js";
import { NotFound } from "../../shell/not-found.js";
import { TopBar } from "../../shell/top-bar.js";
import { Conversation } from "./conversation.js";
import { DateButton } from "./date-button.js";

/** A conversation with one user. */
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
  const { username, avatar_url } = channel.recipient;
  return (
    <>
      <TopBar
        icon={<UserAvatar name={username} url={avatar_url} status={presence?.status} size={26} />}
        title={username}
        note={presence?.custom_status ?? null}
      >
        <DateButton place={place} path={`/dm/${channelId}`} />
        <DirectSearchButton channelId={channelId} />
      </TopBar>
      <Conversation
        place={place}
        serverId={null}
        name={username}
        linkedId={messageId}
        onJump={jump}
        openThread={null}
        readOnlyReason={isBlockedHere ? texts.people.blockedHere(username) : null}
        mayAttach
      />
    </>
  );
}
