import { HeadphoneOff, Headphones, Mic, MicOff, MonitorUp, PhoneOff, Radio, Video, VideoOff } from "lucide-react";
import { Link } from "wouter";
import { usePageState } from "../../state/use-page.js";
import { texts } from "../../texts/texts.js";
import { ErrorNote } from "../../ui/async-content.js";
import { IconButton } from "../../ui/button.js";
import { useAction } from "../../ui/use-action.js";
import type { Call } from "../../voice/call.js";
import { useCallState, useCalls } from "../../voice/use-call.js";
import styles from "./call-panel.module.css";

/** The channel of the current call, with its buttons; empty without a call. */
export function CallPanel() {
  const { call } = useCalls();
  return call === null ? null : <Panel call={call} />;
}

function Panel({ call }: { call: Call }) {
  const channelId = useCallState(call, (state) => state.channelId);
  const error = useCallState(call, (state) => state.microphoneError);
  const channel = usePageState((state) => state.channels[channelId]);
  return (
    <section className={styles.panel} aria-label={texts.voice.panel}>
      {channel === undefined ? null : (
        <Link href={`/servers/${channel.server_id}/channels/${channelId}`} className={styles.place}>
          {texts.voice.connected(channel.name)}
        </Link>
      )}
      {error === null ? null : <p className={styles.note}>{texts.voice.noMicrophone}</p>}
      <CallButtons call={call} />
    </section>
  );
}

/** The actions of a participant. */
export function CallButtons({ call }: { call: Call }) {
  const names = texts.voice;
  const isMuted = useCallState(call, (state) => state.isMuted);
  const isDeafened = useCallState(call, (state) => state.isDeafened);
  const hasMicrophone = useCallState(call, (state) => state.local.microphone !== null);
  const hasCamera = useCallState(call, (state) => state.local.camera !== null);
  const hasScreen = useCallState(call, (state) => state.local.screen !== null);
  const action = useAction((change: () => Promise<void>) => change());
  const size = { size: 18, "aria-hidden": true };
  return (
    <>
      <div className={styles.buttons}>
        <IconButton
          label={isMuted ? names.unmute : names.mute}
          disabled={!hasMicrophone}
          aria-pressed={isMuted}
          onClick={() => action.run(() => call.setMuted(!isMuted))}
        >
          {isMuted ? <MicOff {...size} /> : <Mic {...size} />}
        </IconButton>
        <IconButton
          label={isDeafened ? names.undeafen : names.deafen}
          aria-pressed={isDeafened}
          onClick={() => action.run(() => call.setDeafened(!isDeafened))}
        >
          {isDeafened ? <HeadphoneOff {...size} /> : <Headphones {...size} />}
        </IconButton>
        <IconButton
          label={hasCamera ? names.cameraOff : names.camera}
          aria-pressed={hasCamera}
          onClick={() => action.run(() => call.setCamera(!hasCamera))}
        >
          {hasCamera ? <Video {...size} /> : <VideoOff {...size} />}
        </IconButton>
        <IconButton
          label={hasScreen ? names.screenOff : names.screen}
          aria-pressed={hasScreen}
          onClick={() => action.run(() => call.setScreen(!hasScreen))}
        >
          <MonitorUp {...size} />
        </IconButton>
        <IconButton label={names.goLive} onClick={() => action.run(() => call.goLive())}>
          <Radio {...size} />
        </IconButton>
        <IconButton label={names.leave} className={styles.leave} onClick={() => action.run(() => call.leave())}>
          <PhoneOff {...size} />
        </IconButton>
      </div>
      <ErrorNote error={action.error} />
    </>
  );
}
