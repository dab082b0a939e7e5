import {
  HeadphoneOff,
  Headphones,
  Mic,
  MicOff,
  MonitorUp,
  PhoneOff,
  Radio,
  SlidersHorizontal,
  Video,
  VideoOff,
} from "lucide-react";
import { type ComponentProps, useEffect, useState } from "react";
import { Link, useLocation, useRoute } from "wouter";
import { useAppState } from "../../state/app/use-app.js";
import { texts } from "../../texts/texts.js";
import { ErrorNote } from "../../ui/data/async-content.js";
import { Loading } from "../../ui/data/loading.js";
import { useAction } from "../../ui/data/use-action.js";
import { Button, IconButton } from "../../ui/look/button.js";
import { Dialog } from "../../ui/overlays/dialog.js";
import { lazyPart } from "../../ui/page/lazy-part.js";
import type { Call } from "../../voice/call.js";
import { useCallState } from "../../voice/use-call.js";
import styles from "./call-panel.module.css";
import { TalkButton } from "./talk-button.js";

const VoiceSection = lazyPart(async () => (await import("./voice-section.js")).VoiceSection, {
  waiting: () => <Loading />,
});

/** The channel of a call, with its buttons unless its stage is open, which has them. */
export function CallPanel({ call }: { call: Call }) {
  const channelId = useCallState(call, (state) => state.channelId);
  const channel = useAppState((state) => state.channels[channelId]);
  const [isInChannel, open] = useRoute("/servers/:serverId/channels/:channelId/*?");
  return (
    <section className={styles.panel} aria-label={texts.voice.panel}>
      {channel === undefined ? null : (
        <Link href={`/servers/${channel.server_id}/channels/${channelId}`} className={styles.place}>
          {texts.voice.connected(channel.name)}
        </Link>
      )}
      <DeviceNote call={call} />
      {isInChannel && open.channelId === channelId ? null : <CallButtons call={call} />}
    </section>
  );
}

/** Why a device is not there, with a way to try the microphone again. */
function DeviceNote({ call }: { call: Call }) {
  const error = useCallState(call, (state) => state.deviceError);
  const hasMicrophone = useCallState(call, (state) => state.local.microphone !== null);
  const retry = useAction(() => call.retryMicrophone());
  if (error === null) return null;
  return (
    <div className={styles.note} role="alert">
      <p>{error}</p>
      {hasMicrophone ? null : (
        <Button kind="quiet" disabled={retry.isBusy} onClick={() => retry.run()}>
          {texts.voice.retryMicrophone}
        </Button>
      )}
    </div>
  );
}

/** The actions of a participant. */
export function CallButtons({ call }: { call: Call }) {
  const labels = texts.voice;
  const isMuted = useCallState(call, (state) => state.isMuted);
  const isDeafened = useCallState(call, (state) => state.isDeafened);
  const hasMicrophone = useCallState(call, (state) => state.local.microphone !== null);
  const action = useAction((change: () => Promise<void>) => change());
  useEndOfRefusal(call, action.clear);
  const size = { size: 18, "aria-hidden": true };
  return (
    <>
      <TalkButton call={call} />
      <div className={styles.buttons}>
        <CallButton
          label={isMuted ? labels.unmute : labels.mute}
          disabled={!hasMicrophone}
          aria-pressed={isMuted}
          onClick={() => action.run(() => call.setMuted(!isMuted))}
        >
          {isMuted ? <MicOff {...size} /> : <Mic {...size} />}
        </CallButton>
        <CallButton
          label={isDeafened ? labels.undeafen : labels.deafen}
          aria-pressed={isDeafened}
          onClick={() => action.run(() => call.setDeafened(!isDeafened))}
        >
          {isDeafened ? <HeadphoneOff {...size} /> : <Headphones {...size} />}
        </CallButton>
        <PictureButtons call={call} run={action.run} />
        <SettingsButton />
        <CallButton label={labels.leave} className={styles.leave} onClick={() => action.run(() => call.leave())}>
          <PhoneOff {...size} />
        </CallButton>
      </div>
      <ErrorNote error={action.error} />
    </>
  );
}

/** Takes a refusal away when its reason may be gone: the broadcast has changed, or the person went elsewhere. */
function useEndOfRefusal(call: Call, clear: () => void): void {
  const channelId = useCallState(call, (state) => state.channelId);
  const live = useAppState((state) => state.goLive[channelId]?.broadcaster_id);
  const [address] = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: These changes end the refusal.
  useEffect(() => {
    clear();
  }, [clear, call, live, address]);
}

/** Camera, shared screen and broadcast. */
function PictureButtons({ call, run }: { call: Call; run: (change: () => Promise<void>) => void }) {
  const labels = texts.voice;
  const hasCamera = useCallState(call, (state) => state.local.camera !== null);
  const hasScreen = useCallState(call, (state) => state.local.screen !== null);
  const size = { size: 18, "aria-hidden": true };
  return (
    <>
      <CallButton
        label={hasCamera ? labels.cameraOff : labels.camera}
        aria-pressed={hasCamera}
        onClick={() => run(() => call.setCamera(!hasCamera))}
      >
        {hasCamera ? <Video {...size} /> : <VideoOff {...size} />}
      </CallButton>
      <CallButton
        label={hasScreen ? labels.screenOff : labels.screen}
        aria-pressed={hasScreen}
        onClick={() => run(() => call.setScreen(!hasScreen))}
      >
        <MonitorUp {...size} />
      </CallButton>
      <CallButton label={labels.goLive} onClick={() => run(() => call.goLive())}>
        <Radio {...size} />
      </CallButton>
    </>
  );
}

function SettingsButton() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <CallButton label={texts.voice.openSettings} onClick={() => setOpen(true)}>
        <SlidersHorizontal size={18} aria-hidden />
      </CallButton>
      <Dialog open={isOpen} onOpenChange={setOpen} title={texts.voice.settings.title}>
        <VoiceSection />
      </Dialog>
    </>
  );
}

/** Shows its words, too, where the row of buttons has room for them. */
function CallButton({ children, ...props }: ComponentProps<typeof IconButton>) {
  return (
    <IconButton {...props}>
      {children}
      <span aria-hidden className={styles.words}>
        {props.label}
      </span>
    </IconButton>
  );
}
