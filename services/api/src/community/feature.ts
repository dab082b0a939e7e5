import type { RequirePassword } from "../accounts/auth/require-password.js";
import type { Base, Feature } from "../platform/feature.js";
import { listReads } from "../platform/http/limits.js";
import { FairQueue } from "../platform/load/fair-queue.js";
import type { EndUnentitledVoice } from "../voice/voice/end-unentitled.js";
import { channelRoutes } from "./channels/routes.js";
import { createChannelService } from "./channels/service.js";
import { emojiRoutes } from "./emojis/routes.js";
import { createEmojiService } from "./emojis/service.js";
import { inviteRoutes } from "./invites/routes.js";
import { createInviteService } from "./invites/service.js";
import { memberRoleRoutes } from "./member-roles/routes.js";
import { createMemberRoleService } from "./member-roles/service.js";
import { createMemberCounts } from "./members/counts.js";
import type { LeaveServer } from "./members/leave-server.js";
import { memberRoutes } from "./members/routes.js";
import { createMemberService } from "./members/service.js";
import { nicknameRoutes } from "./nicknames/routes.js";
import { onboardingRoutes } from "./onboarding/routes.js";
import { createOnboardingService } from "./onboarding/service.js";
import { channelOverrideRoutes } from "./overrides/routes.js";
import { createChannelOverrideService } from "./overrides/service.js";
import { roleRoutes } from "./roles/routes.js";
import { createRoleService } from "./roles/service.js";
import { serverStorageRoutes } from "./server-storage/routes.js";
import { serverTemplateRoutes } from "./server-templates/routes.js";
import { createBrowse } from "./servers/browse.js";
import type { DeleteServer } from "./servers/delete-server.js";
import { createHandOver } from "./servers/hand-over.js";
import { serverRoutes } from "./servers/routes.js";
import { createServerService, type ServerService } from "./servers/service.js";

/** Servers with their channels, roles, members, invites and emoji. */
export function createCommunity(
  base: Base,
  given: {
    requirePassword: RequirePassword;
    endUnentitledVoice: EndUnentitledVoice;
    leaveServer: LeaveServer;
    deleteServer: DeleteServer;
  },
): Feature & { servers: ServerService } {
  const shared = { ...base, ...given };
  const servers = createServerService(shared);
  const queue = new FairQueue(listReads);
  const memberCounts = createMemberCounts({ ...base, queue });
  return {
    servers,
    routes: [
      ...serverRoutes({ servers, browse: createBrowse({ ...base, queue }), handOver: createHandOver(shared) }),
      ...serverTemplateRoutes(),
      ...serverStorageRoutes(base.database),
      ...memberRoutes(createMemberService({ ...base, queue, counts: memberCounts })),
      ...nicknameRoutes(),
      ...channelRoutes(createChannelService(base)),
      ...channelOverrideRoutes(createChannelOverrideService(shared), base.database),
      ...roleRoutes(createRoleService(shared)),
      ...memberRoleRoutes(createMemberRoleService(shared)),
      ...inviteRoutes(createInviteService({ ...base, memberCounts })),
      ...onboardingRoutes(createOnboardingService(shared)),
      ...emojiRoutes(createEmojiService(base), base.storage),
    ],
  };
}
