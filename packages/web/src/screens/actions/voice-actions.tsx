import type { VoiceModerateBody, VoiceState } from "@parley/client";
import { ArrowRightLeft, HeadphoneOff, MicOff, PhoneOff } from "lucide-react";
import { useShallow } from "zustand/react/shallow";
import { mayModerate } from "../../state/access/moderation.js";
import { visibleChannels } from "../../state/access/permissions.js";
import { useApp, useAppState } from "../../state/app/use-app.js";
import type { AppState } from "../../state/store/app-state.js";
import { errorText } from "../../texts/error-text.js";
import { texts } from "../../texts/texts.js";
import type { MenuEntry } from "../../ui/overlays/menu.js";
import { useNotice } from "../../ui/page/notice.js";

/** A moderator's actions on somebody who is in a voice channel of the server (docs/protocol/calls.md#34.6). */
export function useVoiceActions(userId: string, serverId: string | null): MenuEntry[] {
  const labels = texts.voice.moderation;
  const { client } = useApp();
  const say = useNotice((notice) => notice.show);
  const voice = useAppState((state) => (serverId === null ? undefined : voiceIn(state, serverId, userId)));
  const [mayMute, mayMove] = useAppState(
    useShallow((state) =>
      (["MUTE_MEMBERS", "KICK_MEMBERS"] as const).map(
        (bit) => serverId !== null && mayModerate(state, serverId, userId, bit),
      ),
    ),
  );
  const others = useAppState(
    useShallow((state) =>
      serverId === null
        ? []
        : (visibleChannels(state, serverId) ?? []).filter(
            ({ id, type }) => type === "voice" && id !== voice?.channel_id,
          ),
    ),
  );
  if (serverId === null || voice === undefined) return [];
  // The event has the new state, also of rights that no answer has.
  const change = (body: VoiceModerateBody) => () =>
    void client.voice.moderate(serverId, userId, body).catch((error) => say(errorText(error)));
  return [
    ...(mayMute
      ? [
          {
            label: labels.mute,
            icon: <MicOff size={16} aria-hidden />,
            isOn: voice.server_mute,
            onSelect: change({ server_mute: !voice.server_mute }),
          },
          {
            label: labels.deafen,
            icon: <HeadphoneOff size={16} aria-hidden />,
            isOn: voice.server_deaf,
            onSelect: change({ server_deaf: !voice.server_deaf }),
          },
        ]
      : []),
    mayMove && others.length > 0
      ? {
          label: labels.move,
          icon: <ArrowRightLeft size={16} aria-hidden />,
          items: others.map(({ id, name }) => ({ label: name, onSelect: change({ channel_id: id }) })),
        }
      : null,
    mayMove
      ? {
          label: labels.disconnect,
          icon: <PhoneOff size={16} aria-hidden />,
          danger: true,
          onSelect: change({ channel_id: null }),
        }
      : null,
  ];
}

function voiceIn({ voice, channels }: AppState, serverId: string, userId: string): VoiceState | undefined {
  return Object.entries(voice).flatMap(([channelId, users]) => {
    const found = users[userId];
    return found !== undefined && channels[channelId]?.server_id === serverId ? [found] : [];
  })[0];
}
