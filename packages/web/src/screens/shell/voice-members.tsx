import { usePageState } from "../../state/use-page.js";
import { UserAvatar } from "../profile/user-avatar.js";
import styles from "./voice-members.module.css";

/** The users in a voice channel. */
export function VoiceMembers({ channelId }: { channelId: string }) {
  const users = usePageState((state) => state.voice[channelId]);
  const profiles = usePageState((state) => state.profiles);
  const list = Object.values(users ?? {});
  return list.length === 0 ? null : (
    <ul className={styles.list}>
      {list.map(({ user_id, username }) => (
        <li key={user_id} className={styles.user}>
          <UserAvatar name={username} url={profiles[user_id]?.avatar_url ?? null} size={22} />
          <bdi>{username}</bdi>
        </li>
      ))}
    </ul>
  );
}
