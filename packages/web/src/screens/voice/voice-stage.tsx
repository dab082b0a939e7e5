import { Volume2 } from "lucide-react";
import { useCallback, useEffect, useRef } from "react";
import { useApp, useAppState } from "../../state/app/use-app.js";
import { useRead } from "../../state/app/use-read.js";
import { texts } from "../../texts/texts.js";
import { ErrorNote } from "../../ui/data/async-content.js";
import { useAction } from "../../ui/data/use-action.js";
import { Button } from "../../ui/look/button.js";
import type { Call } from "../../voice/call.js";
import { useCallState, useCalls, useSpeaking } from "../../voice/use-call.js";
import { CallButtons } from "./call-panel.js";
import { screenTile, useStageFocus } from "./stage-focus.js";
import { StageTile } from "./tile.js";
import { arrange, type Tile, tilesOf } from "./tiles.js";
import { useVoiceName } from "./use-voice-name.js";
import styles from "./voice-stage.module.css";

/** A voice channel: its participants, their cameras and screens, and the button to join. */
export function VoiceStage({ channelId }: { channelId: string }) {
  const { servers } = useApp();
  const { call, join } = useCalls();
  const users = useAppState((state) => state.voice[channelId]);
  const enter = useAction(() => join(channelId));
  const current = call?.state.getState().channelId === channelId ? call : null;
  useRead(useCallback(() => servers.readVoice(channelId), [servers, channelId]));
  useRead(useCallback(() => servers.readGoLive(channelId), [servers, channelId]));
  const list = Object.values(users ?? {});
  return (
    <section className={styles.stage} aria-label={texts.voice.participants}>
      <LiveLine channelId={channelId} isInCall={current !== null} join={() => enter.run()} />
      {list.length === 0 ? (
        <p className={styles.nobody}>
          <Volume2 size={36} aria-hidden />
          {texts.voice.nobody}
        </p>
      ) : current === null ? (
        <Tiles channelId={channelId} tiles={tilesOf(list, undefined, () => undefined)} isInCall={false} />
      ) : (
        <CallTiles call={current} channelId={channelId} />
      )}
      <div className={styles.controls}>
        {current === null ? (
          <>
            <ErrorNote error={enter.error} />
            <Button disabled={enter.isBusy} onClick={() => enter.run()}>
              {enter.isBusy ? texts.voice.joining : texts.voice.join}
            </Button>
          </>
        ) : (
          <CallButtons call={current} />
        )}
      </div>
    </section>
  );
}

/** The broadcaster of the channel, with the way to their screen. */
function LiveLine({ channelId, isInCall, join }: { channelId: string; isInCall: boolean; join: () => void }) {
  const labels = texts.voice;
  const broadcaster = useAppState((state) => {
    const live = state.goLive[channelId];
    return live === undefined ? undefined : state.voice[channelId]?.[live.broadcaster_id];
  });
  const isOwn = useAppState((state) => state.me?.id === broadcaster?.user_id);
  const isLarge = useStageFocus(({ focused }) => focused[channelId] === screenTile(broadcaster?.user_id ?? ""));
  const focus = useStageFocus((stage) => stage.focus);
  const name = useVoiceName(broadcaster);
  if (broadcaster === undefined) return null;
  const watch = () => {
    focus(channelId, screenTile(broadcaster.user_id));
    if (!isInCall) join();
  };
  return (
    <div className={styles.live}>
      <p role="status">{labels.liveBy(name)}</p>
      {isOwn || (isInCall && isLarge) ? null : (
        <Button kind="quiet" onClick={watch}>
          {isInCall ? labels.watch : labels.joinToWatch}
        </Button>
      )}
    </div>
  );
}

/** The tiles of a channel in whose call this page is. */
function CallTiles({ call, channelId }: { call: Call; channelId: string }) {
  const users = useAppState((state) => state.voice[channelId]);
  const { ownId, local, remote } = useCallState(call, (state) => state);
  const tiles = tilesOf(Object.values(users ?? {}), ownId, (userId) => (userId === ownId ? local : remote[userId]));
  return <Tiles channelId={channelId} tiles={tiles} isInCall />;
}

function Tiles({ channelId, tiles, isInCall }: { channelId: string; tiles: readonly Tile[]; isInCall: boolean }) {
  const labels = texts.voice;
  const speaking = useSpeaking(channelId);
  const focused = useStageFocus((stage) => stage.focused[channelId] ?? null);
  const focus = useStageFocus((stage) => stage.focus);
  const onFocus = useCallback((tile: string | null) => focus(channelId, tile), [focus, channelId]);
  useNewScreens(tiles, focused, onFocus);
  const { large, small } = arrange(tiles, focused);
  const tileOf = (tile: Tile) => (
    <StageTile
      key={tile.key}
      tile={tile}
      isFocused={tile.key === focused}
      isSpeaking={speaking[tile.user.user_id] === true}
      isInCall={isInCall}
      onFocus={onFocus}
    />
  );
  return (
    <div className={styles.tiles}>
      <ul
        className={styles.large}
        aria-label={labels.onStage}
        style={{ "--columns": Math.ceil(Math.sqrt(large.length)), "--upright-columns": large.length > 2 ? 2 : 1 }}
      >
        {large.map(tileOf)}
      </ul>
      {small.length === 0 ? null : (
        <ul className={styles.small} aria-label={labels.others}>
          {small.map(tileOf)}
        </ul>
      )}
    </div>
  );
}

/** Makes a screen large when somebody else begins to share it, unless the person looks at another tile. */
function useNewScreens(tiles: readonly Tile[], focused: string | null, onFocus: (tile: string | null) => void): void {
  const before = useRef<readonly string[]>([]);
  const screens = tiles.filter(({ kind, isOwn }) => kind === "screen" && !isOwn).map(({ key }) => key);
  const isTaken = tiles.some(({ key }) => key === focused);
  useEffect(() => {
    const begun = screens.find((key) => !before.current.includes(key));
    before.current = screens;
    if (begun !== undefined && !isTaken) onFocus(begun);
  });
}
