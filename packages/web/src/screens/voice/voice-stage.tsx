import type { VoiceState } from "@parley/client";
import { HeadphoneOff, MicOff, Volume2 } from "lucide-react";
import { useCallback, useEffect, useRef } from "react";
import { usePage, usePageState } from "../../state/use-page.js";
import { useRead } from "../../state/use-read.js";
import { texts } from "../../texts/texts.js";
import { ErrorNote } from "../../ui/async-content.js";
import { Avatar } from "../../ui/avatar.js";
import { Button } from "../../ui/button.js";
import { useAction } from "../../ui/use-action.js";
import type { Call } from "../../voice/call.js";
import { useCallState, useCalls } from "../../voice/use-call.js";
import { CallButtons } from "./call-panel.js";
import styles from "./voice-stage.module.css";

/** A voice channel: its participants, their cameras and screens, and the button to join. */
export function VoiceStage({ channelId }: { channelId: string }) {
  const { servers } = usePage();
  const { call, join } = useCalls();
  const users = usePageState((state) => state.voice[channelId]);
  const live = usePageState((state) => state.goLive[channelId]);
  const enter = useAction(() => join(channelId));
  const current = call?.state.getState().channelId === channelId ? call : null;
  useRead(useCallback(() => servers.readVoice(channelId), [servers, channelId]));
  useRead(useCallback(() => servers.readGoLive(channelId), [servers, channelId]));
  const list = Object.values(users ?? {});
  const broadcaster = live === undefined ? undefined : users?.[live.broadcaster_id];
  return (
    <section className={styles.stage} aria-label={texts.voice.participants}>
      {broadcaster === undefined ? null : (
        <p className={styles.live} role="status">
          {texts.voice.liveBy(broadcaster.username)}
        </p>
      )}
      {list.length === 0 ? (
        <p className={styles.nobody}>
          <Volume2 size={36} aria-hidden />
          {texts.voice.nobody}
        </p>
      ) : (
        <ul className={styles.tiles}>
          {list.map((user) => (
            <Participant key={user.user_id} user={user} call={current} />
          ))}
        </ul>
      )}
      {current === null ? (
        <div className={styles.entrance}>
          <ErrorNote error={enter.error} />
          <Button disabled={enter.isBusy} onClick={() => enter.run()}>
            {enter.isBusy ? texts.voice.joining : texts.voice.join}
          </Button>
        </div>
      ) : (
        <div className={styles.entrance}>
          <CallButtons call={current} />
        </div>
      )}
    </section>
  );
}

function Participant({ user, call }: { user: VoiceState; call: Call | null }) {
  const url = usePageState((state) => state.profiles[user.user_id]?.avatar_url ?? null);
  return (
    <li className={styles.tile}>
      {call === null ? null : <Pictures call={call} user={user} />}
      <div className={styles.person}>
        <Avatar name={user.username} url={url} size={56} />
        <bdi className={styles.name}>{user.username}</bdi>
        {user.self_mute ? <MicOff size={16} aria-label={texts.voice.muted} /> : null}
        {user.self_deaf ? <HeadphoneOff size={16} aria-label={texts.voice.deafened} /> : null}
      </div>
    </li>
  );
}

/** The camera and screen of a participant, if their flags are set in the voice state. */
function Pictures({ call, user }: { call: Call; user: VoiceState }) {
  const me = usePageState((state) => state.me?.id);
  const tracks = useCallState(call, (state) => (user.user_id === me ? state.local : state.remote[user.user_id]));
  return (
    <>
      {user.self_screen && tracks?.screen ? (
        <Picture track={tracks.screen} label={texts.voice.screenOf(user.username)} />
      ) : null}
      {user.self_video && tracks?.camera ? (
        <Picture track={tracks.camera} label={texts.voice.cameraOf(user.username)} />
      ) : null}
    </>
  );
}

function Picture({ track, label }: { track: MediaStreamTrack; label: string }) {
  const element = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    if (element.current !== null) element.current.srcObject = new MediaStream([track]);
  }, [track]);
  return <video ref={element} className={styles.picture} aria-label={label} autoPlay muted playsInline />;
}
