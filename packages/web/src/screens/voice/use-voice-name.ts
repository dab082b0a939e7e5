import type { VoiceState } from "@parley/client";
import { useAppState } from "../../state/app/use-app.js";
import { useMemberName } from "../profile/use-member-name.js";

/** How a participant of a voice channel is called in its server. */
export function useVoiceName(user: VoiceState | undefined): string {
  const serverId = useAppState(({ channels }) => channels[user?.channel_id ?? ""]?.server_id ?? null);
  return useMemberName(user === undefined ? undefined : { userId: user.user_id, username: user.username }, serverId);
}
