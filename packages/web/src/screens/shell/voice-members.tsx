import { AudioLines } from "lucide-react";
import { Link } from "wouter";
import { useAppState } from "../../state/use-app.js";
import { texts } from "../../texts/texts.js";
import { useSpeaking } from "../../voice/use-call.js";
import { UserAvatar } from "../profile/user-avatar.js";
import { screenTile, useStageFocus } from "../voice/stage-focus.js";
import styles from "./voice-members.module.css";

/** The users in a voice channel, with who speaks and a link to the screen of who is live. */
export function VoiceMembers({ channelId }: { channelId: string }) {
  const labels = texts.voice;
  const users = useAppState((state) => state.voice[channelId]);
  const profiles = useAppState((state) => state.profiles);
  const serverId = useAppState((state) => state.channels[channelId]?.server_id);
  const broadcasterId = useAppState((state) => state.goLive[channelId]?.broadcaster_id);
  const speaking = useSpeaking(channelId);
  const focus = useStageFocus((stage) => stage.focus);
  const list = Object.values(users ?? {});
  return list.length === 0 ? null : (
    <ul className={styles.list}>
      {list.map(({ user_id, username }) => (
        <li key={user_id} className={styles.user} data-speaking={speaking[user_id] === true}>
          <UserAvatar name={username} url={profiles[user_id]?.avatar_url ?? null} size={22} />
          <bdi>{username}</bdi>
          {speaking[user_id] === true ? <AudioLines size={14} role="img" aria-label={labels.speaking} /> : null}
          {user_id === broadcasterId ? (
            <Link
              href={`/servers/${serverId}/channels/${channelId}`}
              className={styles.live}
              aria-label={labels.watchOf(username)}
              onClick={() => focus(channelId, screenTile(user_id))}
            >
              {labels.live}
            </Link>
          ) : null}
        </li>
      ))}
    </ul>
  );
}
