import type { DeleteServer } from "../community/servers/delete-server.js";
import type { Base, Feature } from "../platform/feature.js";
import type { AccountDeletion } from "./account-deletion/finish.js";
import { adminLogRoutes } from "./admin-log/routes.js";
import { adminServerRoutes } from "./administration/servers/routes.js";
import { createAdminServerService } from "./administration/servers/service.js";
import { statsRoutes } from "./administration/stats.js";
import { adminUserRoutes } from "./administration/users/routes.js";
import { createAdminUserService } from "./administration/users/service.js";
import { runImports } from "./imports/job.js";
import { giveRoles, moveClaimed } from "./imports/people/jobs.js";
import { importPeopleRoutes } from "./imports/people/routes.js";
import { createImportPeopleService } from "./imports/people/service.js";
import { importRoutes } from "./imports/routes.js";
import { createImportService } from "./imports/service.js";
import { instanceSettingsRoutes } from "./instance-settings/routes.js";
import { createInstanceSettingsService, type InstanceSettingsService } from "./instance-settings/service.js";
import { countMessages } from "./message-counts/job.js";
import { expiredNetworkBans } from "./network-bans/repository.js";
import { networkBanRoutes } from "./network-bans/routes.js";
import { createNetworkBanService } from "./network-bans/service.js";
import { registrationQueueRoutes } from "./registrations/routes.js";
import { createRegistrationQueue } from "./registrations/service.js";

/** The pages of administrators, and the deletion of accounts. */
export function createOperators(
  base: Base,
  { accountDeletion, deleteServer }: { accountDeletion: AccountDeletion; deleteServer: DeleteServer },
): Feature & { settings: InstanceSettingsService } {
  const { database, presence } = base;
  const settings = createInstanceSettingsService(base);
  return {
    settings,
    routes: [
      ...instanceSettingsRoutes(database, settings),
      ...registrationQueueRoutes(createRegistrationQueue(base)),
      ...networkBanRoutes(createNetworkBanService(base)),
      ...adminLogRoutes(database),
      ...adminUserRoutes(createAdminUserService({ ...base, accountDeletion })),
      ...adminServerRoutes(createAdminServerService({ database, deleteServer })),
      ...importRoutes(createImportService(base), base.config.IMPORT_MAX_BYTES),
      ...importPeopleRoutes(createImportPeopleService(base)),
      ...statsRoutes({ database, countConnections: presence.connectionCount }),
    ],
    jobs: [countMessages(database), accountDeletion.job, runImports(base), moveClaimed(base), giveRoles(base)],
    expiries: [expiredNetworkBans],
  };
}
