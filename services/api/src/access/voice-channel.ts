import { errorTexts, invalidInput } from "@parley/contracts";
import type { ChannelAccess } from "./repository.js";

/** @throws ServiceError 400 for a text channel */
export function requireVoiceChannel({ channel }: ChannelAccess): void {
  if (channel.type !== "voice") throw invalidInput(errorTexts.not_voice_channel);
}
