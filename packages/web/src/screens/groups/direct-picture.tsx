import type { AnyDmChannel, GroupChannel } from "@parley/client";
import { useAppState } from "../../state/app/use-app.js";
import { isGroup } from "../../state/store/group-people.js";
import { Avatar } from "../../ui/look/avatar.js";
import { UserAvatar } from "../profile/user-avatar.js";
import styles from "./direct-picture.module.css";
import { directTitle } from "./direct-title.js";

/** How large each of two pictures is beside that of the group. */
const share = 0.68;

/** The picture of a conversation: of the other one with their status, or of a group. The text beside it names it. */
export function DirectPicture({ channel, size }: { channel: AnyDmChannel; size: number }) {
  return isGroup(channel) ? (
    <GroupPicture group={channel} size={size} />
  ) : (
    <PartnerPicture partner={channel.recipient} size={size} />
  );
}

function PartnerPicture({ partner, size }: { partner: AnyDmChannel["recipient"]; size: number }) {
  const presence = useAppState((state) => state.presence[partner.id]);
  return <UserAvatar name={partner.username} url={partner.avatar_url} status={presence?.status} size={size} />;
}

/** Its picture, or those of two of its people, one over the other. */
function GroupPicture({ group, size }: { group: GroupChannel; size: number }) {
  const [first, second] = group.recipients;
  if (group.icon_url !== null || second === undefined || first === undefined)
    return <Avatar name={directTitle(group)} url={group.icon_url} size={size} />;
  return (
    <span className={styles.stack} style={{ width: size, height: size }}>
      {[first, second].map(({ id, username, avatar_url }) => (
        <span key={id} className={styles.one}>
          <Avatar name={username} url={avatar_url} size={size * share} />
        </span>
      ))}
    </span>
  );
}
