import { AudioLines, HeadphoneOff, Maximize, MicOff, Minimize, PictureInPicture2, VolumeX } from "lucide-react";
import { type RefObject, useEffect, useRef, useSyncExternalStore } from "react";
import { useAppState } from "../../state/app/use-app.js";
import { texts } from "../../texts/texts.js";
import { Avatar } from "../../ui/look/avatar.js";
import { IconButton } from "../../ui/look/button.js";
import { isSilenced } from "../../voice/silenced.js";
import { usePersonSound } from "../../voice/use-voice-settings.js";
import { SoundButton } from "./sound-button.js";
import styles from "./tile.module.css";
import type { Tile } from "./tiles.js";
import { useVoiceName } from "./use-voice-name.js";

/** One picture of the stage. A press on it makes it large, or shows everybody again. */
export function StageTile({
  tile,
  isFocused,
  isSpeaking,
  isInCall,
  onFocus,
}: {
  tile: Tile;
  isFocused: boolean;
  isSpeaking: boolean;
  isInCall: boolean;
  onFocus: (tile: string | null) => void;
}) {
  const labels = texts.voice;
  const { key, kind, user, isOwn, video } = tile;
  const element = useRef<HTMLLIElement>(null);
  const picture = useRef<HTMLVideoElement>(null);
  const url = useAppState((state) => state.profiles[user.user_id]?.avatar_url ?? null);
  const name = useVoiceName(user);
  const what = kind === "screen" ? labels.screenOf(name) : name;
  return (
    <li ref={element} className={styles.tile} data-kind={kind} data-speaking={kind === "person" && isSpeaking}>
      {video === null ? (
        <Avatar name={user.username} url={url} size={72} />
      ) : (
        <Picture
          element={picture}
          track={video}
          isMirrored={isOwn && kind === "person"}
          label={kind === "screen" ? what : labels.cameraOf(name)}
        />
      )}
      <button
        type="button"
        className={styles.focus}
        aria-label={isFocused ? labels.shrink : labels.enlarge(what)}
        aria-pressed={isFocused}
        onClick={() => onFocus(isFocused ? null : key)}
      />
      <TileName tile={tile} isSpeaking={isSpeaking} />
      <div className={styles.actions}>
        {isOwn || !isInCall || kind === "screen" ? null : <SoundButton user={user} className={styles.action} />}
        {video === null ? null : <WindowButtons tile={element} picture={picture} />}
      </div>
    </li>
  );
}

/** Their name, and whether they speak, are muted, or hear nothing. */
function TileName({ tile: { kind, user, isOwn }, isSpeaking }: { tile: Tile; isSpeaking: boolean }) {
  const labels = texts.voice;
  const [{ isMuted }] = usePersonSound(user.user_id);
  const name = useVoiceName(user);
  const size = { size: 15 };
  if (kind === "screen") {
    return (
      <p className={styles.name}>
        <bdi>{labels.screenOf(name)}</bdi>
      </p>
    );
  }
  return (
    <p className={styles.name}>
      <bdi>{isOwn ? labels.you(name) : name}</bdi>
      {isSpeaking ? <AudioLines {...size} role="img" aria-label={labels.speaking} className={styles.speaking} /> : null}
      {user.self_mute ? <MicOff {...size} role="img" aria-label={labels.muted} /> : null}
      {isSilenced(user) ? <MicOff {...size} role="img" aria-label={labels.moderation.muted} /> : null}
      {user.server_deaf ? <HeadphoneOff {...size} role="img" aria-label={labels.moderation.deafened} /> : null}
      {user.self_deaf ? <HeadphoneOff {...size} role="img" aria-label={labels.deafened} /> : null}
      {isMuted ? <VolumeX {...size} role="img" aria-label={labels.muteForMe} /> : null}
    </p>
  );
}

function Picture({
  element,
  track,
  isMirrored,
  label,
}: {
  element: RefObject<HTMLVideoElement | null>;
  track: MediaStreamTrack;
  /** People know themselves from mirrors. */
  isMirrored: boolean;
  label: string;
}) {
  useEffect(() => {
    if (element.current !== null) element.current.srcObject = new MediaStream([track]);
  }, [element, track]);
  return (
    <video
      ref={element}
      className={styles.picture}
      data-mirrored={isMirrored}
      aria-label={label}
      autoPlay
      muted
      playsInline
    />
  );
}

/** Full screen and picture in picture, where the browser has them. */
function WindowButtons({
  tile,
  picture,
}: {
  tile: RefObject<HTMLElement | null>;
  picture: RefObject<HTMLVideoElement | null>;
}) {
  const labels = texts.voice;
  const full = useFullScreen();
  const isFull = full !== null && full === tile.current;
  const toggleFull = () =>
    void (isFull ? document.exitFullscreen() : tile.current?.requestFullscreen())?.catch(() => undefined);
  const size = { size: 18, "aria-hidden": true };
  return (
    <>
      {document.pictureInPictureEnabled ? (
        <IconButton
          label={labels.pictureInPicture}
          className={styles.action}
          onClick={() => void picture.current?.requestPictureInPicture().catch(() => undefined)}
        >
          <PictureInPicture2 {...size} />
        </IconButton>
      ) : null}
      {document.fullscreenEnabled ? (
        <IconButton
          label={isFull ? labels.leaveFullScreen : labels.fullScreen}
          className={styles.action}
          onClick={toggleFull}
        >
          {isFull ? <Minimize {...size} /> : <Maximize {...size} />}
        </IconButton>
      ) : null}
    </>
  );
}

function useFullScreen(): Element | null {
  return useSyncExternalStore(onFullScreenChange, () => document.fullscreenElement);
}

function onFullScreenChange(listener: () => void): () => void {
  document.addEventListener("fullscreenchange", listener);
  return () => document.removeEventListener("fullscreenchange", listener);
}
