import type { VoiceState } from "@parley/client";
import { AudioLines, HeadphoneOff, MicOff } from "lucide-react";
import { Link } from "wouter";
import { useAppState } from "../../state/app/use-app.js";
import { texts } from "../../texts/texts.js";
import { isSilenced } from "../../voice/silenced.js";
import { useSpeaking } from "../../voice/use-call.js";
import { ProfileTrigger } from "../profile/profile-trigger.js";
import { UserAvatar } from "../profile/user-avatar.js";
import { screenTile, useStageFocus } from "../voice/stage-focus.js";
import { useVoiceName } from "../voice/use-voice-name.js";
import styles from "./voice-members.module.css";

/** The users in a voice channel, with marks for the speakers and a link to the screen of the broadcaster. */
export function VoiceMembers({ channelId }: { channelId: string }) {
  const users = useAppState((state) => state.voice[channelId]);
  const speaking = useSpeaking(channelId);
  const name = useAppState((state) => state.channels[channelId]?.name ?? "");
  const list = Object.values(users ?? {});
  return list.length === 0 ? null : (
    <ul className={styles.list} aria-label={texts.voice.connected(name)}>
      {list.map((user) => (
        <VoiceMember
          key={user.user_id}
          user={user}
          channelId={channelId}
          isSpeaking={speaking[user.user_id] === true}
        />
      ))}
    </ul>
  );
}

function VoiceMember({ user, channelId, isSpeaking }: { user: VoiceState; channelId: string; isSpeaking: boolean }) {
  const labels = texts.voice;
  const { user_id: userId, username } = user;
  const url = useAppState((state) => state.profiles[userId]?.avatar_url ?? null);
  const serverId = useAppState((state) => state.channels[channelId]?.server_id);
  const isLive = useAppState((state) => state.goLive[channelId]?.broadcaster_id === userId);
  const focus = useStageFocus((stage) => stage.focus);
  const name = useVoiceName(user);
  return (
    <li className={styles.user} data-speaking={isSpeaking}>
      <ProfileTrigger userId={userId} serverId={serverId ?? null}>
        <button type="button" className={styles.person}>
          <UserAvatar name={username} url={url} size={22} />
          <bdi>{name}</bdi>
        </button>
      </ProfileTrigger>
      {isSilenced(user) ? <MicOff size={14} role="img" aria-label={labels.moderation.muted} /> : null}
      {user.server_deaf ? <HeadphoneOff size={14} role="img" aria-label={labels.moderation.deafened} /> : null}
      {isSpeaking ? <AudioLines size={14} role="img" aria-label={labels.speaking} /> : null}
      {isLive ? (
        <Link
          href={`/servers/${serverId}/channels/${channelId}`}
          className={styles.live}
          aria-label={labels.watchOf(name)}
          onClick={() => focus(channelId, screenTile(userId))}
        >
          {labels.live}
        </Link>
      ) : null}
    </li>
  );
}
