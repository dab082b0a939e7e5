import type { Logger } from "@parley/service-runtime";
import type { VoiceRights } from "@parley/voice";

/**
 * Ends the voice states in a server whose users lost VIEW_CHANNEL or CONNECT_VOICE in their channel; to be called after
 * the commit of a change of rights, before it is answered. Never rejects: without Redis the gateways' checks end them.
 */
export type EndUnentitledVoice = (serverId: string) => Promise<void>;

export function createEndUnentitledVoice(options: { rights: VoiceRights; logger: Logger }): EndUnentitledVoice {
  const { rights, logger } = options;
  return (serverId) =>
    rights.enforce(serverId).catch((err: unknown) => {
      logger.warn({ err, server_id: serverId }, "voice of those who lost their rights ends later");
    });
}
